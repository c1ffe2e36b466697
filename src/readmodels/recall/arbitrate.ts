import type { Database } from 'better-sqlite3'
import { symbolKind } from '../analyse/index.ts'
import { type BlockRow, isLater, readBlocks } from './blocks.ts'
import { mayReplace, replacesSentence } from './contradiction.ts'
import type { RecallRequest } from './request.ts'
import { ARBITRATION } from './settings.ts'
import { statement } from './statements.ts'
import type { Sees } from './visible.ts'

type Supersedes = Pick<RecallRequest, 'supersedes'>

/** A block that a later one replaced. */
export interface Superseded {
  readonly loser: BlockRow
  readonly winner: BlockRow
  readonly reason: string
}

/** Same subject, same dimension: the later one wins, whether or not it is among the hits or names the old value. */
function byFact(db: Database, blocks: readonly BlockRow[], seen: Set<string>, knows: Sees): Superseded[] {
  const superseded: Superseded[] = []
  for (const block of blocks) {
    if (block.fact === null || seen.has(`${block.ns} ${block.fact}`)) continue
    seen.add(`${block.ns} ${block.fact}`)
    const rows = statement(db, 'SELECT row FROM recall_fact WHERE ns = ? AND key = ?')
      .pluck()
      .all(block.ns, block.fact) as number[]
    if (rows.length < 2) continue
    const known = rows.filter(row => knows(row, block.ns))
    const rivals = [...readBlocks(db, known).values()].filter(rival => rival.inactive === 0)
    const winner = rivals.reduce((latest, rival) => (isLater(rival, latest) ? rival : latest), block)
    for (const loser of rivals) {
      if (loser.row !== winner.row)
        superseded.push({ loser, winner, reason: `a later value of ${block.fact.replace('|', ' | ')}` })
    }
  }
  return superseded
}

/** Rows that hold one of a block's numbers, as far as those name anything. */
export function rowsWithNumbersOf(db: Database, block: BlockRow): number[] {
  if (block.symbols === null || !mayReplace(block.text)) return []
  const find = statement(db, 'SELECT row FROM symbol WHERE ns = ? AND text = ? LIMIT ?').pluck()
  return (JSON.parse(block.symbols) as string[])
    .filter(symbol => symbol.length >= ARBITRATION.namingDigits && symbolKind(symbol) === 'number')
    .flatMap(symbol => {
      const rows = find.all(block.ns, symbol, ARBITRATION.namingBlocks + 1) as number[]
      return rows.length > ARBITRATION.namingBlocks ? [] : rows
    })
}

/** Sentences: the later one wins when it names the earlier one's number and speaks of the same subject. */
function bySentence(db: Database, blocks: readonly BlockRow[], knows: Sees): Superseded[] {
  const losers = blocks.filter(block => block.symbols !== null)
  const rows = new Map(losers.map(loser => [loser.row, rowsWithNumbersOf(db, loser)]))
  const rivals = readBlocks(db, [...new Set([...rows.values()].flat())])
  const superseded: Superseded[] = []
  for (const loser of losers) {
    const found = (rows.get(loser.row) ?? []).flatMap(row => {
      const rival = rivals.get(row)
      return rival?.inactive === 0 && knows(rival.row, rival.ns) ? [rival] : []
    })
    let winner: BlockRow | undefined
    for (const rival of [...losers, ...found]) {
      // Two facts go by subject and dimension.
      if (rival.ns !== loser.ns || (rival.fact !== null && loser.fact !== null) || !isLater(rival, loser)) continue
      if (winner !== undefined && !isLater(rival, winner)) continue
      if (replacesSentence(rival.text, loser.text)) winner = rival
    }
    if (winner !== undefined)
      superseded.push({ loser, winner, reason: 'a later statement names its number and changes it' })
  }
  return superseded
}

function byEdge(db: Database, { supersedes }: Supersedes, blocks: readonly BlockRow[], knows: Sees): Superseded[] {
  if (supersedes === undefined) return []
  const superseded: Superseded[] = []
  for (const ns of new Set(blocks.map(block => block.ns))) {
    const edges = supersedes(
      ns,
      blocks.filter(block => block.ns === ns).map(block => block.row),
    )
    const ends = readBlocks(
      db,
      [...new Set(edges.flatMap(edge => [edge.loser, edge.winner]))].filter(row => knows(row, ns)),
    )
    for (const edge of edges) {
      const [loser, winner] = [ends.get(edge.loser), ends.get(edge.winner)]
      if (loser?.ns !== ns || winner?.ns !== ns || winner.inactive !== 0 || loser.row === winner.row) continue
      superseded.push({ loser, winner, reason: 'a link says so' })
    }
  }
  return superseded
}

/**
 * What among the hits, or of the same facts, is out of date. Explicit edges come first and cannot be overruled; one loser
 * is listed once. "Later" is event order. What replaced something is looked at in turn, until nothing replaces it.
 *
 * @param knows whether a row may take part; filters do not matter for it, as a fact is no truer for being looked for narrowly
 */
export function arbitrate(
  db: Database,
  request: Supersedes,
  hits: readonly BlockRow[],
  knows: Sees,
): Map<number, Superseded> {
  const edges: Superseded[] = []
  const others: Superseded[] = []
  const looked = new Set<number>()
  const facts = new Set<string>()
  let blocks: readonly BlockRow[] = hits
  for (let round = 0; blocks.length > 0 && round < ARBITRATION.rounds; round++) {
    for (const block of blocks) looked.add(block.row)
    const found = byEdge(db, request, blocks, knows)
    edges.push(...found)
    const told = [...byFact(db, blocks, facts, knows), ...bySentence(db, blocks, knows)]
    others.push(...told)
    const winners = new Map([...found, ...told].map(({ winner }) => [winner.row, winner]))
    blocks = [...winners.values()].filter(winner => !looked.has(winner.row))
  }
  const byLoser = new Map<number, Superseded>()
  const winsByEdge = new Map<number, Set<number>>()
  for (const { winner, loser } of edges) {
    winsByEdge.set(winner.row, (winsByEdge.get(winner.row) ?? new Set()).add(loser.row))
  }
  for (const entry of edges) add(byLoser, entry)
  for (const entry of others) {
    // The later of two does not win against an edge that says the earlier one does.
    if (winsByEdge.get(entry.loser.row)?.has(entry.winner.row) !== true) add(byLoser, entry)
  }
  return byLoser
}

/** One entry a loser, and no two that replace each other. */
function add(byLoser: Map<number, Superseded>, entry: Superseded): void {
  if (byLoser.has(entry.loser.row) || leadsTo(byLoser, entry.winner.row, entry.loser.row)) return
  byLoser.set(entry.loser.row, entry)
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
