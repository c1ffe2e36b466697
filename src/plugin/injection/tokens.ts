/**
 * Estimated tokens of a text: four Latin characters, or one and a half of any other script, are about one token in the
 * tokenisers of the models the host speaks to. Only budgets are counted in it.
 */
export function estimateTokens(text: string): number {
  let narrow = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 0x250) narrow += 1
  return Math.ceil(narrow / 4 + (text.length - narrow) / 1.5)
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** The longest beginning of a text within a number of tokens, cut between whole characters as people see them. */
export function cutToTokens(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text
  // No character is cheaper than a quarter of a token, so what is looked at is bounded.
  const head = text.slice(0, Math.max(0, tokens) * 4 + 64)
  let end = 0
  for (const { index, segment } of graphemes.segment(head)) {
    const next = index + segment.length
    if (estimateTokens(head.slice(0, next)) > tokens) break
    end = next
  }
  return `${head.slice(0, end).toWellFormed()}…`
}
