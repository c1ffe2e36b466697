import { eachToken } from './document.ts'

/** The one index token that stands for a whole symbol, case folded; `undefined` where several words make it up. */
export function wholeToken(symbol: string): string | undefined {
  let compound: string | undefined
  const words: string[] = []
  eachToken(symbol, (token, kind) => {
    if (kind === 'compound') compound = token
    else if (kind === 'word') words.push(token)
  })
  return compound ?? (words.length === 1 ? words[0] : undefined)
}

/** The index tokens of a symbol's words. */
export function wordsOf(symbol: string): string[] {
  const words: string[] = []
  eachToken(symbol, (token, kind) => {
    if (kind === 'word') words.push(token)
  })
  return words
}
