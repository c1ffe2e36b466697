import { CommandRefusedError, MAX_PURGED, type Origin, PURGE_VERSION, type PurgeEvent } from '../events/index.ts'
import type { RedactionSettings } from '../redaction/index.ts'
import type { KnownBlocks } from './known.ts'
import { cleanReason } from './reason.ts'
import type { Stamp } from './stamp.ts'

/** Blocks to forget. */
export interface PurgeInput {
  readonly ids: readonly string[]
  readonly reason?: string
  /** In every namespace, not only in the caller's. */
  readonly everywhere?: boolean
}

export interface PurgeDraft {
  /** Every id that is purged: those that were named, and the ids that mean the same blocks. */
  readonly ids: readonly string[]
  stamp(stamp: Stamp): PurgeEvent
}

/** Decides a purge. Throws `CommandRefusedError` when an id is not that of a block; nothing is purged then. */
export function decidePurge(
  input: PurgeInput,
  origin: Origin,
  known: KnownBlocks,
  redaction?: RedactionSettings,
): PurgeDraft {
  const { ids, reason = '', everywhere } = input
  if (!Array.isArray(ids) || ids.length === 0) {
    throw new CommandRefusedError('bad_field', 'ids must name at least one block')
  }
  const missing = ids.filter(id => (known.get(id)?.state ?? 'unknown') === 'unknown')
  if (missing.length > 0) {
    throw new CommandRefusedError('not_found', `nothing was purged: ${missing.map(String).join(', ')} does not exist`)
  }
  const family = [...new Set(ids.flatMap(id => known.get(id)?.family ?? [id]))]
  if (family.length > MAX_PURGED) {
    throw new CommandRefusedError('too_large', `one purge names at most ${MAX_PURGED} blocks, not ${family.length}`)
  }
  return {
    ids: family,
    stamp: stamp => ({
      v: PURGE_VERSION,
      ...stamp,
      ids: family,
      ...(everywhere === true ? { everywhere } : {}),
      reason: cleanReason(reason, redaction),
      origin,
    }),
  }
}
