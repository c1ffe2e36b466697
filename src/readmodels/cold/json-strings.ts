/** Strings of one text that are looked at. */
const MOST_STRINGS = 50_000

/** Every string in a text that is JSON, however deep; none where it is not. */
export function stringsIn(text: string): string[] {
  if (!/^\s*[[{"]/.test(text)) return []
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (found.length > MOST_STRINGS) return
    if (typeof value === 'string') found.push(value)
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) visit(one)
  }
  try {
    visit(JSON.parse(text))
  } catch {
    // Compared as text.
  }
  return found
}
