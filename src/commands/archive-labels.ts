import { CommandRefusedError, leading, MAX_TAG, MAX_TAGS, MAX_TITLE, type Said } from '../events/index.ts'
import { type RedactionRules, redact } from '../redaction/index.ts'

/** What a document is called, when somebody chose it. */
export interface Named {
  readonly title?: string | undefined
  readonly tags?: readonly string[] | undefined
}

/** Characters of a message that a title is taken from, and of a call's arguments that file names are. */
const LOOKED_AT = 4_000
/** Tools that are named among the tags, at most. */
const MAX_TOOLS = 4
/** An unbroken run at the place of a cut: a secret that is cut in two is no longer known as one. */
const BROKEN_END = /[\x21-\x7e]+$/
const SENTENCE = /^.*?(?:[。！？]|[.!?](?=\s|$))/u
const FILE = /"(?:file_?path|path|file|file_?name)"\s*:\s*("(?:[^"\\]|\\.){1,1000}")/gi

/**
 * Title and tags of a document, found without a model unless somebody chose them: the first sentence of the human; the
 * tools that were called, whether one failed, and the files they were called with. Without secrets.
 */
export function labelsOf(
  said: readonly Said[],
  named: Named | undefined,
  rules: RedactionRules,
): { readonly title: string; readonly tags: readonly string[] } {
  const chosen = oneLine(named?.title ?? '')
  return {
    title: clean(chosen === '' ? firstSentence(said, rules) : chosen, MAX_TITLE, rules),
    tags: tagged(named?.tags ?? tagsOf(said), rules),
  }
}

/** Refuses what cannot be a title or tags, with `CommandRefusedError`. */
export function checkNamed({ title, tags }: Named): void {
  if (title !== undefined && (typeof title !== 'string' || oneLine(title).length > MAX_TITLE)) {
    throw new CommandRefusedError('bad_field', `title must be one line of at most ${MAX_TITLE} characters`)
  }
  if (tags === undefined) return
  const sound = Array.isArray(tags) && tags.length <= MAX_TAGS && tags.every(isTag)
  if (!sound) {
    throw new CommandRefusedError(
      'bad_field',
      `tags must be at most ${MAX_TAGS} short texts of at most ${MAX_TAG} characters`,
    )
  }
}

function isTag(tag: unknown): boolean {
  return typeof tag === 'string' && tag.trim() !== '' && tag.length <= MAX_TAG
}

function firstSentence(said: readonly Said[], rules: RedactionRules): string {
  const spoken = said.find(one => one.kind === 'message' && one.role === 'user')
  if (spoken === undefined) return ''
  const beginning = beginningOf(spoken.text)
  // Before lines are told apart: a secret may go over several.
  const line = redacted(beginning, rules)
    .split('\n')
    .map(oneLine)
    .find(text => text !== '')
  return line === undefined ? '' : (SENTENCE.exec(line)?.[0] ?? line)
}

function beginningOf(text: string): string {
  const trimmed = text.trimStart()
  return trimmed.length <= LOOKED_AT ? trimmed : trimmed.slice(0, LOOKED_AT).replace(BROKEN_END, '')
}

function tagsOf(said: readonly Said[]): string[] {
  const calls = said.filter(one => one.kind === 'call')
  const tools = [...new Set(calls.map(({ tool }) => tool))].slice(0, MAX_TOOLS)
  const failed = said.some(one => one.kind === 'result' && one.failed) ? ['failed'] : []
  return [...tools, ...failed, ...new Set(calls.flatMap(({ text }) => filesIn(text)))]
}

/** Last parts of the paths in a call's arguments, which may be cut or no JSON at all. */
function filesIn(args: string): string[] {
  return Array.from(args.slice(0, LOOKED_AT).matchAll(FILE), ([, literal = '""']) => {
    try {
      return (JSON.parse(literal) as string).split(/[/\\]/).findLast(part => part !== '') ?? ''
    } catch {
      return ''
    }
  })
}

function tagged(tags: readonly string[], rules: RedactionRules): string[] {
  const cleaned = tags.map(tag => clean(oneLine(tag), MAX_TAG, rules)).filter(tag => tag !== '')
  return [...new Set(cleaned)].slice(0, MAX_TAGS)
}

function clean(text: string, length: number, rules: RedactionRules): string {
  const kept = redacted(text, rules)
  if (kept.length <= length) return kept
  return `${leading(kept, length - 1).trimEnd()}…`
}

/** A text without secrets; nothing when that cannot be told in time. */
function redacted(text: string, rules: RedactionRules): string {
  try {
    return redact(text, rules).text
  } catch {
    return ''
  }
}

function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}
