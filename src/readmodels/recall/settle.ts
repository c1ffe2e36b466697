import type { Database } from 'better-sqlite3'
import { reasonOf } from '../../events/index.ts'
import { isCorrupt } from '../database/errors.ts'
import { arbitrate, finalWinner, type Superseded } from './arbitrate.ts'
import { type BlockRow, isLater, readBlocks } from './blocks.ts'
import type { Ranked } from './rankSpace.ts'
import type { RecallHit, RecallRequest, SupersededHit } from './request.ts'
import type { Sees, View } from './visible.ts'

export interface Settled {
  readonly hits: RecallHit[]
  readonly superseded: SupersededHit[]
  readonly inactive: number
}

/** Damage is for the keeper of the database; everything else is named and lived with. */
export function throwDamage(error: unknown): void {
  if (isCorrupt(error)) throw error
}

/**
 * Puts winners in the place of what they replaced, and lists what was replaced. Every path of recall ends here. A winner
 * that the filters leave out is not shown: then the last of what it replaced stays, and says by which block.
 */
export function settle(
  db: Database,
  request: RecallRequest,
  ranked: readonly Ranked[],
  { sees, knows }: View,
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
    replaced = arbitrate(db, request, rows, knows)
  } catch (error) {
    throwDamage(error)
    degraded.push(`arbitration_failed: ${reasonOf(error)}`)
    replaced = new Map()
  }
  const lastSeen = lastSeenOf(replaced, sees)
  const shown = new Map<number, RecallHit>()
  for (const one of living) {
    const block = blocks.get(one.row)
    if (block === undefined) continue
    const winner = finalWinner(replaced, one.row)
    const hidden = winner !== undefined && !sees(winner.row, winner.ns)
    const stands = (hidden ? lastSeen.get(winner.row) : winner) ?? block
    const why = stands.row === one.row ? one.why() : `replaces a block that was found (${one.why()})`
    const hit = hidden ? markedHit(hitOf(one, stands, why), winner) : hitOf(one, stands, why)
    // The first place counts: of a winner and what it replaced, the better one's; the reason is its own where it has one.
    const first = shown.get(hit.row)
    if (first === undefined) shown.set(hit.row, hit)
    else if (stands.row === one.row) shown.set(hit.row, { ...first, why: hit.why })
  }
  // Latest first, whatever order the rows lie in.
  const superseded = [...replaced.values()]
    .sort((a, b) => (isLater(a.loser, b.loser) ? -1 : isLater(b.loser, a.loser) ? 1 : a.loser.ns - b.loser.ns))
    .map(({ loser, winner, reason }) => supersededOf(loser, winner, reason))
  return { hits: [...shown.values()], superseded, inactive: ranked.length - living.length }
}

/** By winners that may not be shown: the latest block that one replaced and that may. */
function lastSeenOf(replaced: ReadonlyMap<number, Superseded>, sees: Sees): Map<number, BlockRow> {
  const last = new Map<number, BlockRow>()
  for (const { loser } of replaced.values()) {
    const winner = finalWinner(replaced, loser.row)
    if (winner === undefined || sees(winner.row, winner.ns) || !sees(loser.row, loser.ns)) continue
    const known = last.get(winner.row)
    if (known === undefined || isLater(loser, known)) last.set(winner.row, loser)
  }
  return last
}

function markedHit(hit: RecallHit, winner: BlockRow): RecallHit {
  const why = `${hit.why}; out of date: replaced by ${winner.id}, which the filters leave out`
  return { ...hit, why, supersededBy: winner.id }
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
