const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })
/** Code units beside a cut that are looked at: a character as people see it is hardly ever longer. */
const NEAR = 64

/**
 * The beginning of a text, at most so many UTF-16 units of it, cut between whole characters as people see them: no
 * surrogate pair, accent or joined emoji is split. A single character longer than all that is asked for is cut within,
 * between code points. Well-formed where the text is.
 */
export function leading(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, cutAt(text, length, 'before'))
}

/** The end of a text, by the same rule. */
export function trailing(text: string, length: number): string {
  return text.length <= length ? text : text.slice(cutAt(text, text.length - length, 'after'))
}

/** The place nearest to `at`, on the side told, that is between two characters. Reads only what is around it. */
function cutAt(text: string, at: number, side: 'before' | 'after'): number {
  if (at <= 0 || at >= text.length) return Math.min(Math.max(at, 0), text.length)
  const looked = text.slice(0, at + NEAR)
  const segment = graphemes.segment(looked).containing(at)
  const start = segment?.index ?? at
  const between = side === 'before' || start === at ? start : start + (segment?.segment.length ?? 0)
  // Where nothing more is looked at, a character may go on, or a pair was cut.
  const end = looked.length < text.length ? looked.length - 1 : text.length
  if (between > 0 && between < end) return between
  // Within one character: at least not within a pair.
  const inPair = isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at))
  return inPair ? at + (side === 'before' ? -1 : 1) : at
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
