/** Stands for every character of a quoted or code span: a rule sees that something is there, not what it says. */
export const HIDDEN = '\uE000'

const QUOTES: Readonly<Record<string, string>> = { '"': '"', '`': '`', '“': '”', '「': '」', '『': '』', '《': '》' }
const CLOSING = new Set(Object.values(QUOTES))
/** A quotation mark without a partner near by is only a sign. */
const MAX_QUOTED = 200

export function isQuoteSign(sign: string): boolean {
  return sign === HIDDEN || CLOSING.has(sign) || sign in QUOTES || sign === ')' || sign === "'"
}

/** Full-width forms as ASCII, every blank a space, typographic apostrophes and dashes as the plain ones. One unit each. */
function plain(sign: string): string {
  const code = sign.charCodeAt(0)
  if (code < 0x80) return sign === '\t' || sign === '\n' || sign === '\r' ? ' ' : sign
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0)
  if (code >= 0x2010 && code <= 0x2015) return '-'
  if (code === 0x2018 || code === 0x2019) return "'"
  if (code === 0x3000 || code === 0xa0 || sign === HIDDEN) return ' '
  return sign
}

/** A copy of the same length, unit by unit, in which quoted and code spans are hidden, quotes included. */
export function shadowOf(text: string): string {
  const out: string[] = new Array(text.length)
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? ''
    const close = QUOTES[sign]
    const end = close === undefined ? -1 : text.slice(at + 1, at + 1 + MAX_QUOTED).indexOf(close)
    if (end > 0) {
      out.fill(HIDDEN, at, at + end + 2)
      at += end + 1
    } else out[at] = plain(sign)
  }
  return out.join('')
}
