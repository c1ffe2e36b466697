import { blockId } from '../../../src/events/index.ts'
import type { RecallHit } from '../../../src/readmodels/index.ts'

/** A hit as the read model would return it. */
export function hitOf(part: Partial<RecallHit> & { readonly text: string }): RecallHit {
  return {
    id: blockId(part.text),
    kind: 'block',
    score: 1,
    exact: false,
    why: 'words in common',
    namespace: 'ns_0123456789abcdef01234567',
    source: '',
    scene: '',
    semanticType: '',
    createdAt: 1_796_000_000_000,
    said: [],
    places: 1,
    ...part,
  }
}
