/** Synthetic vectors of length 1, from a seed: the same on every machine. */

export const DIMENSION = 384

export const SHAPES = ['uniform', 'clustered', 'cone'] as const
export type Shape = (typeof SHAPES)[number]

/** How far a vector of a cluster lies from its middle; .75 gives a cosine of .8 with it. */
const SPREAD = 0.75
/** Share of the common direction in a cone, as many models have it; the mean of its vectors has a norm of about .85. */
const CONE = 1.6

/** `count` vectors in one array, and `questions` more of the same making. */
export function makeVectors(
  shape: Shape,
  count: number,
  questions: number,
): { stored: Float32Array; asked: Float32Array[] } {
  const gaussian = normal(mulberry(count * 3 + SHAPES.indexOf(shape)))
  const clusters = Math.ceil(Math.sqrt(count))
  const middles = new Float32Array(clusters * DIMENSION)
  for (let cluster = 0; cluster < clusters; cluster++) fill(middles, cluster, gaussian)
  const axis = new Float32Array(DIMENSION)
  fill(axis, 0, gaussian)
  const pick = mulberry(count)
  const one = (into: Float32Array, at: number): void => {
    fill(into, at, gaussian)
    if (shape === 'uniform') return
    const cluster = Math.floor(pick() * clusters) * DIMENSION
    const from = at * DIMENSION
    for (let i = 0; i < DIMENSION; i++) {
      into[from + i] = (middles[cluster + i] ?? 0) + SPREAD * (into[from + i] ?? 0)
      if (shape === 'cone') into[from + i] = (into[from + i] ?? 0) / 1.25 + CONE * (axis[i] ?? 0)
    }
    normalise(into, at)
  }
  const stored = new Float32Array(count * DIMENSION)
  for (let at = 0; at < count; at++) one(stored, at)
  const asked = Array.from({ length: questions }, () => {
    const vector = new Float32Array(DIMENSION)
    one(vector, 0)
    return vector
  })
  return { stored, asked }
}

/** A vector of an array of vectors. */
export function vectorAt(stored: Float32Array, at: number): Float32Array {
  return stored.subarray(at * DIMENSION, (at + 1) * DIMENSION)
}

function fill(into: Float32Array, at: number, gaussian: () => number): void {
  for (let i = at * DIMENSION; i < (at + 1) * DIMENSION; i++) into[i] = gaussian()
  normalise(into, at)
}

function normalise(into: Float32Array, at: number): void {
  const vector = vectorAt(into, at)
  let square = 0
  for (const value of vector) square += value * value
  const length = Math.sqrt(square)
  for (let i = 0; i < DIMENSION; i++) vector[i] = (vector[i] ?? 0) / length
}

function mulberry(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Box–Muller, both values used. */
function normal(random: () => number): () => number {
  let spare: number | undefined
  return () => {
    if (spare !== undefined) {
      const value = spare
      spare = undefined
      return value
    }
    const radius = Math.sqrt(-2 * Math.log(1 - random()))
    const angle = 2 * Math.PI * random()
    spare = radius * Math.sin(angle)
    return radius * Math.cos(angle)
  }
}
