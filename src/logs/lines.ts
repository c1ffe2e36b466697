/** One line of a file, without its line end. */
export interface Line {
  /** Empty for a line that is too long. */
  readonly bytes: Buffer
  /** Offset of its first byte in the stream, in bytes. */
  readonly offset: number
  /** Offset of the byte after its line end. */
  readonly next: number
  /** False for a last line that has no line end. */
  readonly complete: boolean
  /** Present for a line longer than `MAX_LINE`. */
  readonly tooLong?: true
}

const NEWLINE = 10
/** Longest line that is held, in bytes: more than any event of ours has, however its text is escaped. */
export const MAX_LINE = 64 << 20

/** What is said of a line that was passed over for its length. */
export const TOO_LONG = `a line is longer than ${MAX_LINE} bytes`

/** Splits a byte stream into lines without holding more than one line, of `longest` bytes at most, and one chunk. */
export async function* splitLines(chunks: AsyncIterable<Buffer>, start = 0, longest = MAX_LINE): AsyncGenerator<Line> {
  const line = new HeldLine(longest)
  let offset = start
  let position = start
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      const next = position + at + 1
      yield { ...line.end(chunk.subarray(from, at)), offset, next, complete: true }
      offset = next
      from = at + 1
    }
    line.hold(chunk.subarray(from))
    position += chunk.length
  }
  if (position > offset) yield { ...line.end(Buffer.alloc(0)), offset, next: position, complete: false }
}

/** The beginning of a line whose end has not come yet. */
class HeldLine {
  private parts: Buffer[] = []
  private length = 0
  private readonly longest: number

  constructor(longest: number) {
    this.longest = longest
  }

  hold(part: Buffer): void {
    this.length += part.length
    if (this.length > this.longest) this.parts = []
    // Chunks may be reused by their producer, so what is held over is copied.
    else if (part.length > 0) this.parts.push(Buffer.from(part))
  }

  end(part: Buffer): Pick<Line, 'bytes' | 'tooLong'> {
    const { parts } = this
    const length = this.length + part.length
    this.parts = []
    this.length = 0
    if (length > this.longest) return { bytes: Buffer.alloc(0), tooLong: true }
    return { bytes: parts.length === 0 ? part : Buffer.concat([...parts, part]) }
  }
}
