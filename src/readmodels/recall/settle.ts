import type { Database } from 'better-sqlite3'
import { isCorrupt } from '../database/errors.ts'
import { arbitrate, finalWinner, type Superseded } from './arbitrate.ts'
import { type BlockRow, isLater, readBlocks } from './blocks.ts'
import type { Ranked } from './rankSpace.ts'
import type { RecallHit, RecallRequest, SupersededHit } from './request.ts'

/** Whether the request may see a row of a namespace. */
export type Sees = (row: number, ns: number) => boolean

export interface Settled {
  readonly hits: RecallHit[]
  readonly superseded: SupersededHit[]
  readonly inactive: number
}

/** Damage is for the keeper of the database; everything else is named and lived with. */
export function throwDamage(error: unknown): void {
  if (isCorrupt(error)) throw error
}

/** Puts winners in the place of what they replaced, and lists what was replaced. Every path of recall ends here. */
export function settle(
  db: Database,
  request: RecallRequest,
  ranked: readonly Ranked[],
  sees: Sees,
  degraded: string[],
): Settled {
  const blocks = readBlocks(
    db,
    ranked.map(one => one.row),
  )
  const living = ranked.filter(one => blocks.get(one.row)?.inactive === 0)
  let replaced: Map<number, Superseded>
  try {
    const rows = living.flatMap(one => blocks.get(one.row) ?? [])
    replaced = arbitrate(db, request, rows, sees)
  } catch (error) {
    throwDamage(error)
    degraded.push(`arbitration_failed: ${error instanceof Error ? error.message : String(error)}`)
    replaced = new Map()
  }
  const shown = new Map<number, RecallHit>()
  for (const one of living) {
    const block = blocks.get(one.row)
    if (block === undefined) continue
    const winner = finalWinner(replaced, one.row)
    const hit =
      winner === undefined
        ? hitOf(one, block, one.why())
        : hitOf(one, winner, `replaces a block that was found (${one.why()})`)
    // The first place counts: of a winner and what it replaced, the better one's.
    if (!shown.has(hit.row)) shown.set(hit.row, hit)
    else if (winner === undefined) shown.set(hit.row, { ...(shown.get(hit.row) ?? hit), why: one.why() })
  }
  // Latest first, whatever order the rows lie in.
  const superseded = [...replaced.values()]
    .sort((a, b) => (isLater(a.loser, b.loser) ? -1 : isLater(b.loser, a.loser) ? 1 : a.loser.ns - b.loser.ns))
    .map(({ loser, winner, reason }) => supersededOf(loser, winner, reason))
  return { hits: [...shown.values()], superseded, inactive: ranked.length - living.length }
}

function hitOf(ranked: Ranked, block: BlockRow, why: string): RecallHit {
  return {
    row: block.row,
    ns: block.ns,
    id: block.id,
    text: block.text,
    score: ranked.score,
    exact: ranked.pinned > 0,
    why,
  }
}

function supersededOf(loser: BlockRow, winner: BlockRow, reason: string): SupersededHit {
  return {
    row: loser.row,
    ns: loser.ns,
    id: loser.id,
    text: loser.text,
    by: winner.id,
    at: loser.at ?? undefined,
    reason,
  }
}
