/** A length in one byte: eight steps to the doubling, so a step is under 9 %; exact up to 8. */

export function lengthToByte(length: number): number {
  if (length <= 8) return Math.max(0, length)
  return Math.min(255, 8 + Math.round((Math.log2(length) - 3) * 8))
}

export function byteToLength(byte: number): number {
  return byte <= 8 ? byte : 2 ** ((byte - 8) / 8 + 3)
}
