import type { Stats } from '../port.ts'

/** How many turns are archived and in what state, in a line for people. */
export function describeDocuments({ all, waiting, withdrawn, distilled }: Stats['documents']): string {
  const states = [
    ...(waiting > 0 ? [`${waiting} not read yet`] : []),
    ...(withdrawn > 0 ? [`${withdrawn} whose log is gone`] : []),
    ...(distilled > 0 ? [`${distilled} distilled`] : []),
  ]
  return `${all} archived turns${states.length === 0 ? '' : ` (${states.join(', ')})`}`
}
