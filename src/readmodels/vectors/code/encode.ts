import { centred } from '../floats.ts'
import { rotate } from './rotate.ts'

/**
 * A coordinate is rounded in two steps. First to one of four levels, in standard deviations: the quantizer of least error
 * for a normal distribution (Lloyd–Max, 2 bits; distortion .1175). Then to one of four within its cell, by the same rule;
 * a cell below zero is the mirror of that above it. Both steps together leave a distortion of about .01.
 */
export const COARSE = [-1.5104, -0.4528, 0.4528, 1.5104] as const
const BORDER = 0.9816
const [INNER, OUTER] = [
  [0.1162, 0.3508, 0.5919, 0.8452],
  [1.1453, 1.5201, 1.984, 2.6623],
] as const

/** The value of a coordinate by `4 · first step + second step`. */
export const FINE = [...OUTER.map(value => -value), ...INNER.map(value => -value), ...INNER, ...OUTER]

/** Dimensions are taken two at a time, and those groups four at a time. */
const DIMENSIONS_AT_ONCE = 8

/** Groups of two dimensions a vector has; what is missing to a multiple of four is filled with zeros. */
export function groupsOf(dimension: number): number {
  return Math.ceil(dimension / DIMENSIONS_AT_ONCE) * 4
}

/** Bytes of one half of a code. */
export function halfBytes(dimension: number): number {
  return groupsOf(dimension) / 2
}

/**
 * The code of a vector: what is left of it, at length 1, when the centre is subtracted, rotated, four bits a dimension. The
 * first half of the bytes holds the first steps, the second half the second ones; byte `i` of either holds dimensions 4i to
 * 4i+3, the first in the lowest bits.
 */
export function encode(values: Float32Array, centre: Float32Array | undefined): Uint8Array {
  const rotated = centred(values, centre)
  rotate(rotated)
  const deviation = Math.sqrt(rotated.length)
  const half = halfBytes(rotated.length)
  const code = new Uint8Array(2 * half)
  for (let at = 0; at < rotated.length; at++) {
    const value = (rotated[at] ?? 0) * deviation
    const size = Math.abs(value)
    const outer = size >= BORDER
    const level = value < 0 ? (outer ? 0 : 1) : outer ? 3 : 2
    const shift = 2 * (at & 3)
    code[at >> 2] = (code[at >> 2] ?? 0) | (level << shift)
    code[half + (at >> 2)] = (code[half + (at >> 2)] ?? 0) | (within(outer ? OUTER : INNER, size) << shift)
  }
  return code
}

/** The nearest of four ascending values. */
function within(levels: readonly [number, number, number, number], size: number): number {
  const [a, b, c, d] = levels
  return size < (b + c) / 2 ? (size < (a + b) / 2 ? 0 : 1) : size < (c + d) / 2 ? 2 : 3
}
