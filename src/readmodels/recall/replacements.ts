import type { Database } from 'better-sqlite3'
import { arbitrate, rowsWithNumbersOf, type Superseded } from './arbitrate.ts'
import { readBlocks } from './blocks.ts'
import type { RecallRequest } from './request.ts'

/**
 * What replaced a block, and what it replaced, as any recall in its namespace would have it.
 *
 * @param linked rows that a `supersedes` edge says it replaced
 */
export function replacementsOf(
  db: Database,
  row: number,
  linked: readonly number[],
  supersedes: NonNullable<RecallRequest['supersedes']>,
): Superseded[] {
  const block = readBlocks(db, [row]).get(row)
  if (block === undefined) return []
  // Arbitration asks of each block what replaced it, so what this one may have replaced is asked about as well.
  const about = readBlocks(db, [row, ...linked, ...rowsWithNumbersOf(db, block)])
  const living = [...about.values()].filter(({ ns, inactive }) => ns === block.ns && inactive === 0)
  const found = arbitrate(db, { supersedes }, living, (_, ns) => ns === block.ns)
  return [...found.values()].filter(({ loser, winner }) => loser.row === row || winner.row === row)
}
