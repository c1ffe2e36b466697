/**
 * Symbols: what is looked up as a whole token, letter by letter: numbers, versions, addresses, ids, paths, names of code.
 * Letter case is kept. A bare single digit or character is never a symbol.
 */

/**
 * - `number`: digits with inner `.` `:` `/` `-`, a sign, a `v` or a `%`: ports, addresses, versions, dates, phones;
 * - `identifier`: a token that no prose writes by chance: `ERR_1042`, `node:sqlite`, `a@b.c`, `/etc/hosts`, a UUID, a URL;
 * - `compound`: words joined by hyphens or a slash, which prose writes too: `alpha-compose`, `GB/s`, `18th-century`.
 */
export type SymbolKind = 'number' | 'identifier' | 'compound'

export interface TextSymbol {
  readonly text: string
  /** 2: the token as written. 1: a part of it (file name, host, port, one side of `=`). */
  readonly level: 1 | 2
  readonly kind: SymbolKind
  /** Where the token it comes from starts in the normalised text, UTF-16 units. */
  readonly at: number
}

/** Symbols kept of one text. */
export const MAX_SYMBOLS = 4_000
const MAX_UNITS = 512

const TOKEN =
  /[^\s\p{Cc}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}"'`,;()[\]{}<>|!*^~、。《》〈〉「」『』“”‘’·…•→←]+/gu
const LEADING = /^(?:[?.:&%=+\\#$€£¥≈-](?![\d/\\])|[.:&%=\\#$€£¥≈](?=\d)|-(?=-)|\/(?=$))+/u
const TRAILING = /[?.:&=+#$€£¥\\@/-]+$/u

const NUMBER = /^[+-]?\d+(?:[.:/]\d+)*%?$/
const DASHED = /^\d+(?:-\d+)+$/
const VERSION = /^[vV]\d+(?:\.\d+)*(?:[-+][0-9A-Za-z.-]+)?$/
const URL_LIKE = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/([^/?#\s]*)([^?#\s]*)/
const EMAIL = /^[^@\s/]+@([^@\s/]+\.[^@\s/.]+)$/u
const UNIT = /^\d+(?:\.\d+)?\p{L}{1,3}$/u
const PROSE_DIGITS = /^\d+(?:st|nd|rd|th|s)?(?:-\p{L}+)+$/iu
const JOINTS = /[._:/@=+#&\\-]/
const HAS_DIGIT = /\d/
const HAS_LETTER = /\p{L}/u
const HYPHENATED = /^[\p{L}\p{M}]+(?:[-&/+][\p{L}\p{M}]+)+$/u
/** `home.Then`: two sentences whose blank was forgotten; `U.S.A`, `p.m`: an abbreviation. */
const SLOPPY_STOP = /^\p{L}*\p{Ll}\.\p{Lu}\p{Ll}*$|^(?:\p{L}\.)+\p{L}?$/u
const PHONE = /(?<![\d.])(?:\+\d{1,3}[ -]?)?(?:\(\d{2,4}\)[ -]?)?\d{2,4}(?:[ -]\d{2,4}){1,4}(?![\d.:])/g

/** What kind of symbol a trimmed token is; `undefined` for plain words and single characters. */
export function symbolKind(token: string): SymbolKind | undefined {
  if (token.length < 2) return undefined
  if (NUMBER.test(token) || DASHED.test(token)) return 'number'
  if (VERSION.test(token)) return 'number'
  const digit = HAS_DIGIT.test(token)
  if (!JOINTS.test(token)) {
    // A word with a digit or two (utf8, qwen3) is a word; from three digits on it is an id (ERR1042, a commit's hash).
    const digits = token.match(/\d/g)?.length ?? 0
    return digits >= 3 && token.length >= 6 && HAS_LETTER.test(token) && !UNIT.test(token) ? 'identifier' : undefined
  }
  if (!HAS_LETTER.test(token) && !digit) return undefined
  if (HYPHENATED.test(token)) return /^\p{Lu}+(?:-\p{Lu}+){2,}$/u.test(token) ? 'identifier' : 'compound'
  if (UNIT.test(token) || PROSE_DIGITS.test(token)) return 'compound'
  if (SLOPPY_STOP.test(token)) return undefined
  return 'identifier'
}

/** The parts of a symbol that are worth finding alone: hosts, ports, file names, both sides of `=`. */
function partsOf(token: string): string[] {
  const url = URL_LIKE.exec(token)
  if (url) {
    const authority = (url[1] ?? '').replace(/^[^@]*@/, '')
    const [host = '', port = ''] = authority.split(/:(?=\d+$)/)
    return [host, port, authority, ...fileNames(url[2] ?? '')]
  }
  const email = EMAIL.exec(token)
  if (email) return [email[1] ?? '']
  if (DASHED.test(token)) return token.split('-').filter(part => part.length > 2)
  if (token.endsWith('%')) return [token.slice(0, -1)]
  if (VERSION.test(token)) return [token.slice(1)]
  const parts = token.split(/=|[:@](?![:/])/).flatMap(side => [side, ...fileNames(side)])
  return parts.length > 1 ? parts : []
}

function fileNames(path: string): string[] {
  const names = path.split(/[/\\]/)
  return names.length > 1
    ? [names[names.length - 1] ?? '', ...names.slice(0, -1).filter(name => /\d\d|[._]/.test(name))]
    : []
}

/** Symbols of a normalised text in order of first sight, no text twice; the higher level of two wins. */
export function symbolsOf(text: string): TextSymbol[] {
  const found = new Map<string, TextSymbol>()
  const add = (raw: string, level: 1 | 2, at: number, known?: SymbolKind): void => {
    const kind = known ?? symbolKind(raw)
    if (kind === undefined || (found.size >= MAX_SYMBOLS && !found.has(raw))) return
    if ((found.get(raw)?.level ?? 0) < level) found.set(raw, { text: raw, level, kind, at })
  }
  for (const match of text.matchAll(PHONE)) {
    const digits = match[0].replace(/\D/g, '')
    const grouped = /^[+(]|-/.test(match[0]) || /^1\d\d \d{4} \d{4}$/.test(match[0])
    if (grouped && digits.length >= 7 && digits.length <= 15) add(digits, 2, match.index, 'number')
  }
  for (const match of text.matchAll(TOKEN)) {
    if (match[0].length > MAX_UNITS || match[0].length < 2) continue
    const token = match[0].replace(LEADING, '').replace(TRAILING, '')
    add(token, 2, match.index)
    for (const part of partsOf(token)) add(part.replace(LEADING, '').replace(TRAILING, ''), 1, match.index)
    if (found.size >= MAX_SYMBOLS) break
  }
  return [...found.values()]
}
