import { leading } from '../../events/index.ts'

/**
 * Estimated tokens of a text: four Latin characters, or one and a half of any other script, are about one token in the
 * tokenisers of the models the host speaks to. Only budgets are counted in it.
 */
export function estimateTokens(text: string): number {
  let narrow = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 0x250) narrow += 1
  return Math.ceil(narrow / 4 + (text.length - narrow) / 1.5)
}

/** The longest beginning of a text within a number of tokens, cut between whole characters as people see them. */
export function cutToTokens(text: string, tokens: number): string {
  const end = lengthWithin(text, tokens)
  if (end === text.length) return text
  return `${leading(text, end).toWellFormed()}…`
}

/** How much of a text, in code units, is within a number of tokens. */
function lengthWithin(text: string, tokens: number): number {
  let narrow = 0
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) < 0x250) narrow += 1
    if (Math.ceil(narrow / 4 + (at + 1 - narrow) / 1.5) > tokens) return at
  }
  return text.length
}
