import { type AnalysedQuery, analyseQuery, normaliseForms, symbolsOf } from '../analyse/index.ts'

/** Words by which a sentence says that something is no longer so. (轮换, 换班 and 改善 are no change of a value.) */
const CHANGE =
  /\b(?:no longer|not (?:on |at )?\d|retired?|deprecated|obsolete|mov(?:ed?|ing)|chang(?:ed?|ing)|replac(?:ed?|ing)|switch(?:ed|ing)|migrat(?:ed?|ing)|renamed|instead|wrong|dropped|removed|decommissioned|shut down)\b|不再|不是|[更已]改|改(?:为|成|到|用|了|回|名)|更?换(?:为|成|到|了|掉)|更换|旧的?(?:值|端口|版本|地址|号码)|废弃|弃用|迁[移到至往]|取代|代替|更正|停用|下线/iu

const MAX_CACHED = 2_000
/** Longer texts are passages that speak of many things: none of them is replaced as a whole. UTF-16 units. */
const MAX_UNITS = 240
const cache = new Map<string, Matter>()

interface Matter {
  /** Numbers of at least two characters, dates aside. */
  readonly numbers: ReadonlySet<string>
  /** Stems and character pairs that are neither numbers nor function words. */
  readonly words: ReadonlySet<string>
  readonly changes: boolean
}

/** A query's analysis is what is wanted of a sentence here too: its matter without function words, dates told apart. */
function matterOf(text: string): Matter {
  const known = cache.get(text)
  if (known !== undefined) return known
  const analysed: AnalysedQuery = analyseQuery(text)
  const undated = new Set(analysed.symbols.map(symbol => symbol.text))
  const symbols = symbolsOf(normaliseForms(text))
  // A part of a number is not that number: `100` does not name `100%`, nor `5` the range `5-10`.
  const wholes = new Set(symbols.filter(({ level, kind }) => level === 2 && kind === 'number').map(symbol => symbol.at))
  const numbers = symbols.filter(
    ({ level, kind, text: digits, at }) => kind === 'number' && (level === 2 ? undated.has(digits) : !wholes.has(at)),
  )
  const matter = {
    numbers: new Set(numbers.map(symbol => symbol.text)),
    words: new Set(
      analysed.terms
        .filter(term => (term.kind === 'word' || term.kind === 'pair') && !/\d/.test(term.token))
        .map(term => term.token),
    ),
    changes: CHANGE.test(text),
  }
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(text, matter)
  return matter
}

/** Whether a text is short enough to be replaced by another as a whole, or to replace it. */
export function mayReplace(text: string): boolean {
  return text.length <= MAX_UNITS
}

/**
 * Whether a later sentence replaces an earlier one: it names a number of the earlier one as a whole token, shares a word
 * of its subject, and brings another number or says that something changed. A mere repetition of the number ("8080 was
 * slow today") replaces nothing.
 */
export function replacesSentence(later: string, earlier: string): boolean {
  if (!mayReplace(later) || !mayReplace(earlier)) return false
  const old = matterOf(earlier)
  if (old.numbers.size === 0) return false
  const young = matterOf(later)
  let names = false
  for (const number of old.numbers) names ||= young.numbers.has(number)
  if (!names) return false
  let shares = false
  for (const word of old.words) shares ||= young.words.has(word)
  if (!shares) return false
  for (const number of young.numbers) if (!old.numbers.has(number)) return true
  return young.changes
}
