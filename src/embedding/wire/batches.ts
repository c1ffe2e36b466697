/** A text and where its result belongs. */
export interface Asked {
  readonly place: number
  readonly text: string
}

/** Texts of one request together, at most, in UTF-16 units; a longer text goes alone. */
const UNITS = 128 << 10

/** Cuts texts into requests, in order. Empty texts are left out; lone surrogates, which no service can read, become U+FFFD. */
export function batchesOf(texts: readonly string[], most: number): Asked[][] {
  const batches: Asked[][] = []
  let current: Asked[] = []
  let units = 0
  for (const [place, raw] of texts.entries()) {
    if (raw.trim() === '') continue
    const text = raw.toWellFormed()
    if (current.length > 0 && (current.length >= most || units + text.length > UNITS)) {
      batches.push(current)
      current = []
      units = 0
    }
    current.push({ place, text })
    units += text.length
  }
  if (current.length > 0) batches.push(current)
  return batches
}
