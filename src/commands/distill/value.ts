import { MAX_VALUE } from './distilled.ts'
import { HIDDEN } from './shadow.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

const HIDDEN_RUN = new RegExp(`^${HIDDEN}+`)

/**
 * The value that begins at `at`, if it looks like one of its kind. Of a quoted or code span the inside counts, and all
 * of it has to fit.
 */
export function valueAt(text: string, shadow: string, at: number, end: number, shape: RegExp): Span | undefined {
  const rest = shadow.slice(at, end)
  const hidden = HIDDEN_RUN.exec(rest)?.[0].length ?? 0
  if (hidden > 2) {
    const inside = text.slice(at + 1, at + hidden - 1)
    const fits = shape.exec(inside)?.[0].length === inside.length && inside.length <= MAX_VALUE
    return fits ? { start: at + 1, end: at + hidden - 1 } : undefined
  }
  const length = shape.exec(rest)?.[0].trimEnd().length ?? 0
  return length > 0 && length <= MAX_VALUE ? { start: at, end: at + length } : undefined
}

/** Behind a value and the sign that closes its quotation. */
export function behind(shadow: string, value: Span): number {
  return shadow[value.end] === HIDDEN ? value.end + 1 : value.end
}
