import type { Database } from 'better-sqlite3'
import { type BlockRow, isLater, readBlocks } from './blocks.ts'
import { replacesSentence } from './contradiction.ts'
import type { RecallRequest } from './request.ts'
import { statement } from './statements.ts'

/** A block that a later one replaced. */
export interface Superseded {
  readonly loser: BlockRow
  readonly winner: BlockRow
  readonly reason: string
}

/** Same subject, same dimension: the later one wins, whether or not it is among the hits or names the old value. */
function byFact(db: Database, hits: readonly BlockRow[], sees: (row: number, ns: number) => boolean): Superseded[] {
  const superseded: Superseded[] = []
  const seen = new Set<string>()
  for (const hit of hits) {
    if (hit.fact === null || seen.has(`${hit.ns} ${hit.fact}`)) continue
    seen.add(`${hit.ns} ${hit.fact}`)
    const rows = statement(db, 'SELECT row FROM recall_fact WHERE ns = ? AND key = ?')
      .pluck()
      .all(hit.ns, hit.fact) as number[]
    if (rows.length < 2) continue
    const rivals = [
      ...readBlocks(
        db,
        rows.filter(row => sees(row, hit.ns)),
      ).values(),
    ].filter(block => block.inactive === 0)
    const winner = rivals.reduce((latest, block) => (isLater(block, latest) ? block : latest), hit)
    for (const loser of rivals) {
      if (loser.row !== winner.row)
        superseded.push({ loser, winner, reason: `a later value of ${hit.fact.replace('|', ' | ')}` })
    }
  }
  return superseded
}

/** Sentences: the later one wins when it names the earlier one's number and speaks of the same subject. */
function bySentence(hits: readonly BlockRow[]): Superseded[] {
  const prose = hits.filter(hit => hit.fact === null && hit.symbols !== null)
  const superseded: Superseded[] = []
  for (const loser of prose) {
    let winner: BlockRow | undefined
    for (const other of prose) {
      if (other.ns === loser.ns && isLater(other, loser) && (winner === undefined || isLater(other, winner))) {
        if (replacesSentence(other.text, loser.text)) winner = other
      }
    }
    if (winner !== undefined)
      superseded.push({ loser, winner, reason: 'a later statement names its number and changes it' })
  }
  return superseded
}

function byEdge(
  db: Database,
  request: RecallRequest,
  hits: readonly BlockRow[],
  sees: (row: number, ns: number) => boolean,
): Superseded[] {
  const { supersedes } = request
  if (supersedes === undefined) return []
  const superseded: Superseded[] = []
  for (const ns of new Set(hits.map(hit => hit.ns))) {
    const edges = supersedes(
      ns,
      hits.filter(hit => hit.ns === ns).map(hit => hit.row),
    )
    const blocks = readBlocks(
      db,
      [...new Set(edges.flatMap(edge => [edge.loser, edge.winner]))].filter(row => sees(row, ns)),
    )
    for (const edge of edges) {
      const [loser, winner] = [blocks.get(edge.loser), blocks.get(edge.winner)]
      if (loser?.ns !== ns || winner?.ns !== ns || winner.inactive !== 0 || loser.row === winner.row) continue
      superseded.push({ loser, winner, reason: 'an explicit supersedes edge' })
    }
  }
  return superseded
}

/**
 * What among the hits, or of the same facts, is out of date. Explicit edges come first and cannot be overruled; one loser
 * is listed once. "Later" is event order.
 *
 * @param sees whether the request may see a row
 */
export function arbitrate(
  db: Database,
  request: RecallRequest,
  hits: readonly BlockRow[],
  sees: (row: number, ns: number) => boolean,
): Map<number, Superseded> {
  const byLoser = new Map<number, Superseded>()
  const edges = byEdge(db, request, hits, sees)
  const winsByEdge = new Map<number, Set<number>>()
  for (const { winner, loser } of edges) {
    winsByEdge.set(winner.row, (winsByEdge.get(winner.row) ?? new Set()).add(loser.row))
  }
  for (const entry of [...edges, ...byFact(db, hits, sees), ...bySentence(hits)]) {
    if (byLoser.has(entry.loser.row)) continue
    // The later of two does not win against an edge that says the earlier one does; nor may two replace each other.
    const overruled = !edges.includes(entry) && winsByEdge.get(entry.loser.row)?.has(entry.winner.row) === true
    if (overruled || leadsTo(byLoser, entry.winner.row, entry.loser.row)) continue
    byLoser.set(entry.loser.row, entry)
  }
  return byLoser
}

function leadsTo(byLoser: ReadonlyMap<number, Superseded>, from: number, to: number): boolean {
  for (let at = byLoser.get(from); at !== undefined; at = byLoser.get(at.winner.row)) {
    if (at.winner.row === to) return true
  }
  return false
}

/** The block that stands at the end of a chain of replacements. */
export function finalWinner(superseded: ReadonlyMap<number, Superseded>, row: number): BlockRow | undefined {
  let winner: BlockRow | undefined
  for (let at = superseded.get(row); at !== undefined; at = superseded.get(at.winner.row)) winner = at.winner
  return winner
}
