import { endianness } from 'node:os'

/** Why a stored vector cannot be compared with anything. */
export type Fault = 'wrongDimension' | 'nonFinite' | 'zero'

/** Whether this machine's own byte order is that of what is stored. */
export const NATIVE = endianness() === 'LE'

/** Reads float32, little-endian. Bytes that are left over at the end are not read. */
export function readFloats(bytes: Uint8Array): Float32Array {
  const length = bytes.byteLength >>> 2
  if (NATIVE && bytes.byteOffset % 4 === 0) return new Float32Array(bytes.buffer, bytes.byteOffset, length)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Float32Array.from({ length }, (_, at) => view.getFloat32(4 * at, true))
}

/** Writes float32, little-endian. */
export function writeFloats(values: ArrayLike<number>): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (let at = 0; at < values.length; at++) bytes.writeFloatLE(values[at] ?? 0, 4 * at)
  return bytes
}

/** What is wrong with a vector; undefined when nothing is. Nothing is coerced. */
export function faultOf(bytes: Uint8Array): Fault | undefined {
  if (bytes.byteLength === 0 || bytes.byteLength % 4 !== 0) return 'wrongDimension'
  return faultOfFloats(readFloats(bytes))
}

export function faultOfFloats(values: Float32Array): Fault | undefined {
  if (values.length === 0) return 'wrongDimension'
  const square = dot(values, values)
  // No square of a float32 is too large or, unless it is zero, too small for a float64.
  if (!Number.isFinite(square)) return 'nonFinite'
  return square === 0 ? 'zero' : undefined
}

/** The scalar product, in float64; four sums side by side, which a processor adds up at once. */
export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const { length } = a
  let [s, t, u, v] = [0, 0, 0, 0]
  let at = 0
  for (; at + 3 < length; at += 4) {
    s += (a[at] ?? 0) * (b[at] ?? 0)
    t += (a[at + 1] ?? 0) * (b[at + 1] ?? 0)
    u += (a[at + 2] ?? 0) * (b[at + 2] ?? 0)
    v += (a[at + 3] ?? 0) * (b[at + 3] ?? 0)
  }
  for (; at < length; at++) s += (a[at] ?? 0) * (b[at] ?? 0)
  return s + t + (u + v)
}

/** The vector at length 1, as float64; one without a length stays as it is. */
export function unit(values: ArrayLike<number>): Float64Array {
  const length = Math.sqrt(dot(values, values))
  const one = new Float64Array(values.length)
  if (length === 0) return one
  for (let at = 0; at < one.length; at++) one[at] = (values[at] ?? 0) / length
  return one
}

/** What is left of a vector at length 1 when a centre is subtracted from it, again at length 1; see `centroid.ts`. */
export function centred(values: ArrayLike<number>, centre: ArrayLike<number> | undefined): Float64Array {
  const one = unit(values)
  if (centre === undefined) return one
  for (let at = 0; at < one.length; at++) one[at] = (one[at] ?? 0) - (centre[at] ?? 0)
  return unit(one)
}
