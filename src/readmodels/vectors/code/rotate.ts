/**
 * A rotation that is the same everywhere and mixes all coordinates, so that whatever a model does with single ones, each
 * coordinate of the result is about normally distributed. It is made of changes of sign and of fast Walsh–Hadamard transforms
 * over the first and the last 2^n coordinates, twice (as in Gao et al., RaBitQ, SIGMOD 2024): D·log D additions.
 */
const ROUNDS = 2

const signsOf = new Map<number, Float64Array[]>()

/** Random signs by xorshift32, for each round; no floating point is in it, so they are the same on every machine. */
function signs(dimension: number): Float64Array[] {
  const known = signsOf.get(dimension)
  if (known !== undefined) return known
  let state = 0x9e3779b9 ^ dimension
  const next = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state & 1 ? -1 : 1
  }
  const made = Array.from({ length: 2 * ROUNDS }, () => Float64Array.from({ length: dimension }, next))
  signsOf.set(dimension, made)
  return made
}

/** Rotates in place. */
export function rotate(values: Float64Array): void {
  const { length } = values
  const power = 2 ** Math.floor(Math.log2(Math.max(1, length)))
  signs(length).forEach((change, round) => {
    for (let at = 0; at < length; at++) values[at] = (values[at] ?? 0) * (change[at] ?? 1)
    hadamard(values.subarray(round % 2 === 0 ? 0 : length - power, round % 2 === 0 ? power : length))
  })
}

function hadamard(values: Float64Array): void {
  const { length } = values
  for (let half = 1; half < length; half *= 2) {
    for (let from = 0; from < length; from += 2 * half) {
      for (let at = from; at < from + half; at++) {
        const left = values[at] ?? 0
        const right = values[at + half] ?? 0
        values[at] = left + right
        values[at + half] = left - right
      }
    }
  }
  const scale = 1 / Math.sqrt(length)
  for (let at = 0; at < length; at++) values[at] = (values[at] ?? 0) * scale
}
