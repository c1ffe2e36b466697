import { type CommitDraft, type CommitInput, decideCommit } from '../commands/index.ts'
import { leading } from '../events/index.ts'
import type { LegacyBlock } from '../readmodels/legacy/index.ts'
import { BUILT_IN_RULES, redact } from '../redaction/index.ts'

/** The most the plugin can be set to take, in bytes: what was remembered under other settings is not lost here. */
const MAX_BYTES = 4 << 20
const MAX_FIELD = 500

/**
 * Texts of an old database become what is remembered here and in `importedName`, nowhere else. This one is decided like any
 * other commit, so it is redacted like any other, by the built-in rules: the command line does not know the plugin's
 * settings. Throws `CommandRefusedError` for what no memory can be made of. Metadata that is too long for an event is
 * cut: a text is not lost for it.
 */
export function decideImportedText({ text, source, scene, semanticType }: LegacyBlock): CommitDraft {
  const input: CommitInput = {
    text: text as string,
    source: field(source),
    scene: field(scene),
    semanticType: field(semanticType),
  }
  return decideCommit(input, 'import', { maxBytes: MAX_BYTES })
}

/** The text that names an entity or a sentence at the end of an edge, redacted as `decideLink` does. */
export function importedName(text: string): string {
  return redact(text.toWellFormed(), BUILT_IN_RULES).text
}

function field(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return leading(text.replaceAll('\0', '').toWellFormed(), MAX_FIELD)
}
