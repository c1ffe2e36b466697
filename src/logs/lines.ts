/** One line of a file, without its line end. */
export interface Line {
  readonly bytes: Buffer
  /** Offset of its first byte in the stream, in bytes. */
  readonly offset: number
  /** Offset of the byte after its line end. */
  readonly next: number
  /** False for a last line that has no line end. */
  readonly complete: boolean
}

const NEWLINE = 10

/** Splits a byte stream into lines without holding more than one line and one chunk. */
export async function* splitLines(chunks: AsyncIterable<Buffer>, start = 0): AsyncGenerator<Line> {
  let held: Buffer[] = []
  let offset = start
  let position = start
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      const part = chunk.subarray(from, at)
      const bytes = held.length === 0 ? part : Buffer.concat([...held, part])
      held = []
      const next = position + at + 1
      yield { bytes, offset, next, complete: true }
      offset = next
      from = at + 1
    }
    // Chunks may be reused by their producer, so what is held over is copied.
    if (from < chunk.length) held.push(Buffer.from(chunk.subarray(from)))
    position += chunk.length
  }
  if (held.length > 0) yield { bytes: Buffer.concat(held), offset, next: position, complete: false }
}
