import { centred, dot, readFloats } from './floats.ts'

/** Below this squared length, nothing is left of a vector when the centre is subtracted. */
const NOTHING = 1e-12

/**
 * Compares stored vectors with one question, exactly: the cosine, of what is left of both at length 1 when the
 * centre is subtracted, where there is one.
 *
 *     cos = (v̂·q' − c·q') / √(1 − 2·v̂·c + c·c),   v̂ = v/|v|,   q' = (q̂ − c)/|q̂ − c|
 */
export function comparison(
  question: ArrayLike<number>,
  centre: ArrayLike<number> | undefined,
): (data: Uint8Array) => number {
  const asked = centred(question, centre)
  if (centre === undefined) {
    return data => {
      const vector = readFloats(data)
      return clamp(dot(vector, asked) / Math.sqrt(dot(vector, vector)))
    }
  }
  const middle = dot(centre, asked)
  const centreSquare = dot(centre, centre)
  return data => {
    const vector = readFloats(data)
    const length = Math.sqrt(dot(vector, vector))
    const along = dot(vector, centre)
    const left = 1 - (2 * along) / length + centreSquare
    return left < NOTHING ? 0 : clamp((dot(vector, asked) / length - middle) / Math.sqrt(left))
  }
}

function clamp(cosine: number): number {
  return Math.max(-1, Math.min(1, cosine))
}
