import type { Join } from './join.ts'
import { before, matchEnd } from './mention.ts'

/** What may stand between a name and its sign: a closing quote or bracket, emphasis, a note in parentheses. */
const AFTER_NAME = String.raw`\\{0,3}["'\`’”」]?\]?[?!]?[*_]{0,3}(?:[ \t]?[（(][^()（）\n]{0,40}[)）])?[*_]{0,3}[ \t]{0,8}`
/** A declared type before the value of a variable. */
const TYPED = String.raw`:[ \t]{0,4}(?:Optional\[)?&?(?:'static )?(?:str|string|SecretStr|bytes|any|std::string)\]?(?:[ \t]{0,2}\|[ \t]{0,2}(?:null|undefined|None))?[ \t]{0,4}=(?![=>])`
/** The value of a named entry: `name: DB_PASSWORD` and then `value: …`; `key="ApiKey" value="…"`. */
const ENTRY = String.raw`[,;]?\s{1,12}\\{0,3}["']?value\\{0,3}["']?[ \t]{0,4}[:=]`
const SIGN = `(${TYPED}|${ENTRY}|!==?|={2,3}|=>|:=|=|[:：＝])`

const SIGNED = new RegExp(String.raw`${AFTER_NAME}${SIGN}[*_]{0,2}([ \t]{0,8})`, 'iy')

/**
 * `password=…`, `"apiKey": "…"`, `token: …` in shell, JSON, YAML, TOML, INI, code, queries of URLs, headers and
 * connection strings.
 */
export const bySign: Join = (text, mention, values) => {
  if (mention.chinese) return undefined
  SIGNED.lastIndex = mention.end
  const match = SIGNED.exec(text)
  if (match === null) return undefined
  const [whole, sign = '', blank = ''] = match
  const inQuery = /[?&][\w.-]{0,40}$/.test(before(text, mention, 41))
  const value = values.at(mention.end + whole.length, inQuery)
  // A comparison, an arrow: the other side is code unless it is a literal.
  if (/^(?:!==?|={2,3}|=>)$/.test(sign) && value?.quoted !== true) return undefined
  return {
    value,
    how: sign === ':' || sign === '：' ? 'stated' : 'assigned',
    apart: blank !== '',
    folder: /^pwd$/i.test(mention.name) && !/[A-Za-z0-9_-]$/.test(before(text, mention, 1)),
  }
}

const ELEMENT_END = /(?:\s[^<>\n]{0,120})?>\s{0,4}([^<>\s][^<>\n]{0,2000}?)\s{0,4}<\//y

/** `<password>…</password>`. */
export const byElement: Join = (text, mention) => {
  if (!/<[\w.:-]{0,40}$/.test(before(text, mention, 41))) return undefined
  ELEMENT_END.lastIndex = mention.end
  const match = ELEMENT_END.exec(text)
  const content = match?.[1]
  if (match === null || content === undefined) return undefined
  const start = mention.end + match[0].lastIndexOf(content)
  return { value: { start, end: start + content.length, quoted: true }, how: 'assigned', apart: false }
}

const FLAG_END = /[ \t]{1,4}(?!-)/y

/** `--token …`, `-password …`. A placeholder of a help text is in capitals. */
export const byFlag: Join = (text, mention, values) => {
  if (!/(?<![\w-])--?(?:[a-z0-9]{1,20}-){0,3}$/i.test(before(text, mention, 64))) return undefined
  const from = matchEnd(FLAG_END, text, mention.end)
  const value = from === undefined ? undefined : values.at(from)
  if (value === undefined || /^[A-Z_]+$/.test(text.slice(value.start, Math.min(value.end, value.start + 64))))
    return undefined
  return { value, how: 'assigned', apart: false }
}
