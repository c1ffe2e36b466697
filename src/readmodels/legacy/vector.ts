/** A vector as a commit event carries it, or why there is none. */
export type LegacyVector =
  | { readonly vector: { readonly space: string; readonly data: string } }
  | { readonly noVector: string }

/** Longest vector, in floats. */
const MAX_DIMENSION = 65_536
const MAX_FINGERPRINT = 500

const none = (why: string): LegacyVector => ({ noVector: `import: ${why}` })

/** Reads a vector of the earlier port, a JSON array of numbers with the fingerprint of its space beside it. */
export function legacyVector(json: unknown, fingerprint: unknown): LegacyVector {
  if (json === undefined || json === null || json === '') return none('the source has no vector')
  if (typeof fingerprint !== 'string' || fingerprint === '') return none('the vector has no fingerprint')
  if (fingerprint.length > MAX_FINGERPRINT || !fingerprint.isWellFormed()) return none('the fingerprint is not usable')
  const numbers = parse(json)
  if (!Array.isArray(numbers)) return none('the vector is not a list of numbers')
  if (numbers.length === 0) return none('the vector is empty')
  if (numbers.length > MAX_DIMENSION) return none(`the vector has more than ${MAX_DIMENSION} numbers`)
  const data = Buffer.alloc(numbers.length * 4)
  for (const [at, number] of numbers.entries()) {
    // What is too large for a float32 would become infinite.
    if (typeof number !== 'number' || !Number.isFinite(Math.fround(number))) return none('the vector is not finite')
    data.writeFloatLE(number, at * 4)
  }
  return { vector: { space: fingerprint, data: data.toString('base64') } }
}

function parse(json: unknown): unknown {
  try {
    return typeof json === 'string' ? JSON.parse(json) : undefined
  } catch {
    return undefined
  }
}
