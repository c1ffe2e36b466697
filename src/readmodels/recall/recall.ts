import type { Database } from 'better-sqlite3'
import { type AnalysedQuery, analyseQuery } from '../analyse/index.ts'
import { isCorrupt } from '../database/errors.ts'
import { missingSymbols, type VisibleSpace } from './abstain.ts'
import { arbitrate, finalWinner, type Superseded } from './arbitrate.ts'
import { type BlockRow, isLater, readBlocks } from './blocks.ts'
import { fuseVectors } from './fuse.ts'
import { fuseQuestions } from './fuseQuestions.ts'
import { memoryOf, type RecallMemory } from './memory.ts'
import { rankNear } from './near.ts'
import { byRank, type Ranked, rankSpace } from './rankSpace.ts'
import type { RecallHit, RecallOutcome, RecallRequest, RecallResult, SupersededHit } from './request.ts'
import { readSpace } from './space.ts'
import { visibleRows } from './visible.ts'

const NOTICES: Readonly<Record<Exclude<RecallOutcome, 'hits'>, string>> = {
  nothing_stored: 'Memory holds nothing yet that this question may see.',
  below_floor: 'Memory was searched; nothing in it came above the floor.',
  refused: 'Memory has no record of it; this does not mean it is false.',
  empty_query: 'There is nothing in the question to look for.',
}

/** Hits looked at beyond the page, so that what arbitration takes away is made up for. */
const MARGIN = 50
const MAX_DEPTH = 10_000
const MAX_QUESTIONS = 8

/**
 * Answers a question from the stored blocks. What fails is named in `degraded`; only a damaged database is thrown, so
 * that its keeper replaces it.
 */
export function recall(db: Database, request: RecallRequest): RecallResult {
  const degraded: string[] = []
  try {
    return answer(db, request, degraded)
  } catch (error) {
    throwDamage(error)
    degraded.push(`search_failed: ${error instanceof Error ? error.message : String(error)}`)
    return {
      hits: [],
      superseded: [],
      outcome: 'below_floor',
      notice: 'The search failed; this says nothing about what memory holds.',
      counters: { candidates: 0, skipped: {} },
      degraded,
    }
  }
}

function throwDamage(error: unknown): void {
  if (isCorrupt(error)) throw error
}

function none(outcome: Exclude<RecallOutcome, 'hits'>, degraded: string[], notice = NOTICES[outcome]): RecallResult {
  return { hits: [], superseded: [], outcome, notice, counters: { candidates: 0, skipped: {} }, degraded }
}

function whole(value: number | undefined, least: number, fallback: number): number {
  return value === undefined || !Number.isFinite(value)
    ? fallback
    : Math.min(MAX_DEPTH, Math.max(least, Math.floor(value)))
}

function answer(db: Database, request: RecallRequest, degraded: string[]): RecallResult {
  const questions = [request.query, ...(request.alsoAsk ?? [])]
    .slice(0, MAX_QUESTIONS)
    .map(analyseQuery)
    .filter(query => !query.empty)
  const [first] = questions
  if (first === undefined) return none('empty_query', degraded)
  const memory = memoryOf(db)
  memory.ranks.refresh(db)
  const spaces = visibleSpaces(db, memory, request)
  if (spaces.every(({ space, allowed }) => (allowed === undefined ? space.blocks === 0 : !allowed.includes(1)))) {
    return none('nothing_stored', degraded)
  }
  const missing = whatIsMissing(db, memory, questions, spaces, degraded)
  if (missing !== undefined)
    return none('refused', degraded, `${NOTICES.refused} (Not stored: ${missing.slice(0, 5).join(', ')}.)`)

  const topK = whole(request.topK, 0, 10)
  const offset = whole(request.offset, 0, 0)
  const depth = offset + topK + MARGIN
  let candidates = 0
  const rankings = questions.map(query =>
    spaces
      .flatMap(space => {
        const { ranked, scored } = rankSpace(db, memory, space, query, depth)
        candidates += scored
        return ranked
      })
      .sort(byRank),
  )
  const sees = visibility(spaces)
  const ranked = withVectors(db, memory, fuseQuestions(rankings), request, sees, degraded)
  const floor = request.floor ?? 0
  const above = ranked.filter(one => one.score >= floor && one.score > 0)
  const settled = settle(db, request, above.slice(0, depth), sees, degraded)
  const skipped: Record<string, number> = {}
  if (above.length < ranked.length) skipped.below_floor = ranked.length - above.length
  if (settled.superseded.length > 0) skipped.superseded = settled.superseded.length
  if (settled.inactive > 0) skipped.inactive = settled.inactive
  const counters = { candidates, skipped }
  const superseded = request.history === true ? settled.superseded : []
  const hits = settled.hits.slice(offset, offset + topK)
  if (hits.length > 0) return { hits, superseded, outcome: 'hits', counters, degraded }
  return { hits, superseded, outcome: 'below_floor', notice: NOTICES.below_floor, counters, degraded }
}

/** Whether the request may see a row of a namespace. */
type Sees = (row: number, ns: number) => boolean

function visibility(spaces: readonly VisibleSpace[]): Sees {
  const byNs = new Map(spaces.map(({ space, allowed }) => [space.ns, allowed]))
  return (row, ns) => byNs.has(ns) && byNs.get(ns)?.[row] !== 0
}

/** A vector path that fails leaves the lexical ranking as it was. */
function withVectors(
  db: Database,
  memory: RecallMemory,
  ranked: Ranked[],
  request: RecallRequest,
  sees: Sees,
  degraded: string[],
): Ranked[] {
  if (request.vectors === undefined || request.vectors.length === 0) return ranked
  try {
    const near = rankNear(
      db,
      memory,
      request.vectors.filter(hit => sees(hit.row, hit.ns)),
    )
    return fuseVectors(ranked, near, request.fusion)
  } catch (error) {
    degraded.push(`fusion_failed: ${error instanceof Error ? error.message : String(error)}`)
    return ranked
  }
}

function visibleSpaces(db: Database, memory: RecallMemory, request: RecallRequest): VisibleSpace[] {
  return [...new Set(request.namespaces)].map(ns => ({
    space: readSpace(db, ns),
    allowed: visibleRows(db, ns, request, memory.ranks.lengths.length),
  }))
}

/** A recall of several questions is refused only when each of them is. */
function whatIsMissing(
  db: Database,
  memory: RecallMemory,
  questions: readonly AnalysedQuery[],
  spaces: readonly VisibleSpace[],
  degraded: string[],
): readonly string[] | undefined {
  try {
    const missing = questions.map(query => missingSymbols(db, memory, query, spaces))
    return missing.includes(undefined) ? undefined : missing.flatMap(symbols => symbols ?? [])
  } catch (error) {
    throwDamage(error)
    // What cannot be read cannot be said to be missing.
    degraded.push(`abstention_failed: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

interface Settled {
  readonly hits: RecallHit[]
  readonly superseded: SupersededHit[]
  readonly inactive: number
}

/** Puts winners in the place of what they replaced, and lists what was replaced. */
function settle(
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
