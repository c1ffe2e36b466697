/**
 * Where something comes next in a text. Remembers its last answer, so that asking from many places, in rising order,
 * reads the text once: what keeps a text of many openings without a closing linear.
 */
export class Next {
  private readonly text: string
  private readonly pattern: RegExp
  private from = 0
  private answer = -1

  /** `pattern` must be global and not match the empty string. */
  constructor(text: string, pattern: RegExp) {
    this.text = text
    this.pattern = new RegExp(pattern.source, pattern.flags)
  }

  /** Index of the first match at or behind `from`, or the length of the text. */
  after(from: number): number {
    if (this.answer >= from && this.from <= from) return this.answer
    this.pattern.lastIndex = from
    this.from = from
    this.answer = this.pattern.exec(this.text)?.index ?? this.text.length
    return this.answer
  }
}
