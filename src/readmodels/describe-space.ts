import type { SpaceStats } from './port.ts'

/** What there is of a space of vectors, in a line for people. */
export function describeSpace({ fingerprint, vectors, missing, unusable }: SpaceStats): string {
  const reasons = Object.entries(unusable).map(([reason, count]) => `, ${count} that cannot be compared: ${reason}`)
  return `${fingerprint}: ${vectors} vectors, ${missing} blocks without one${reasons.join('')}`
}
