/** Small numbers in words, as times are written with: `三`, `十二`, `廿一`, `three`. */

/** A Chinese number up to 99 as a pattern; read it with `smallNumber`. */
export const HAN_NUMBER = '[一二两三四五六七八九十廿]{1,3}'

const HAN_DIGITS = '零一二三四五六七八九'
const ENGLISH = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** Reads digits or a small number in words; `undefined` for what is none. */
export function smallNumber(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text)
  const word = text.toLowerCase()
  if (word === 'a' || word === 'an') return 1
  if (word === 'a couple of' || word === '两') return 2
  const named = ENGLISH.indexOf(word)
  if (named >= 0) return named
  const han = /^(?:([二三四五六七八九])?([十廿]))?([一二三四五六七八九])?$/u.exec(text)
  if (han === null || text === '') return undefined
  const [, tens, ten, ones] = han
  const full = ten === '廿' ? 20 : ten === '十' ? 10 * (tens === undefined ? 1 : HAN_DIGITS.indexOf(tens)) : 0
  return full + (ones === undefined ? 0 : HAN_DIGITS.indexOf(ones))
}

/** A year as it is read out, `二〇二四`, in digits; `undefined` for what is none. */
export function hanYear(text: string): number | undefined {
  const digits = Array.from(text, char => (char === '〇' || char === '○' ? 0 : HAN_DIGITS.indexOf(char)))
  return digits.length === 4 && !digits.includes(-1) ? Number(digits.join('')) : undefined
}
