import type { Database } from 'better-sqlite3'
import { reasonOf } from '../../events/index.ts'
import { type AnalysedQuery, analyseQuery } from '../analyse/index.ts'
import { MAX_HITS } from '../port.ts'
import { missingSymbols, type VisibleSpace } from './abstain.ts'
import { associate } from './associate.ts'
import { askedWhen } from './dateMatch.ts'
import { fuseVectors } from './fuse.ts'
import { fuseQuestions } from './fuseQuestions.ts'
import { rankScene } from './inScene.ts'
import { memoryOf, type RecallMemory } from './memory.ts'
import { rankNear } from './near.ts'
import { byRank, type Ranked, rankSpace } from './rankSpace.ts'
import type { RecallOutcome, RecallRequest, RecallResult } from './request.ts'
import { rankSaidThen, withSaidThen } from './saidThen.ts'
import { askedScene } from './scenes.ts'
import { settle, throwDamage } from './settle.ts'
import { readSpace } from './space.ts'
import { type Sees, unfiltered, type View, visibleRows } from './visible.ts'

const NOTICES: Readonly<Record<Exclude<RecallOutcome, 'hits'>, string>> = {
  nothing_stored: 'Memory holds nothing yet that this question may see.',
  below_floor: 'Memory was searched; nothing in it answers this well enough.',
  refused: 'Memory has no record of it; this does not mean it is false.',
  empty_query: 'There is nothing in the question to look for.',
}

/** Hits looked at beyond the page, so that what arbitration takes away is made up for. */
const MARGIN = 50
/** Blocks of a scene on one page. */
const SCENE_LIMIT = 8
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
    degraded.push(`search_failed: ${reasonOf(error)}`)
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

function none(outcome: Exclude<RecallOutcome, 'hits'>, degraded: string[], notice = NOTICES[outcome]): RecallResult {
  return { hits: [], superseded: [], outcome, notice, counters: { candidates: 0, skipped: {} }, degraded }
}

function whole(value: number | undefined, least: number, fallback: number): number {
  return value === undefined || !Number.isFinite(value)
    ? fallback
    : Math.min(MAX_HITS, Math.max(least, Math.floor(value)))
}

function answer(db: Database, request: RecallRequest, degraded: string[]): RecallResult {
  const questions = [request.query, ...(request.alsoAsk ?? [])]
    .slice(0, MAX_QUESTIONS)
    .map(analyseQuery)
    .filter(query => !query.empty)
  const scene = askedScene(request.filters?.scene)
  if (questions.length === 0 && scene === undefined) return none('empty_query', degraded)
  const memory = memoryOf(db)
  memory.ranks.refresh(db)
  const spaces = visibleSpaces(db, memory, request)
  if (spaces.every(({ space, allowed }) => (allowed === undefined ? space.blocks === 0 : !allowed.includes(1)))) {
    return none('nothing_stored', degraded)
  }
  const view = viewOf(db, memory, request, spaces)
  if (questions.length === 0) return ofScene(db, request, scene ?? '', view, degraded)
  const missing = whatIsMissing(db, memory, questions, spaces, degraded)
  if (missing !== undefined)
    return {
      ...none('refused', degraded, `${NOTICES.refused} (Not stored: ${missing.slice(0, 5).join(', ')}.)`),
      missing: missing.slice(0, 5),
    }

  const topK = whole(request.topK, 0, 10)
  const offset = whole(request.offset, 0, 0)
  const depth = offset + topK + MARGIN
  const now = request.now ?? Date.now()
  let candidates = 0
  const rankings = questions.map(query => {
    const asked = askedWhen(query, now)
    const byWords = spaces.flatMap(space => {
      const { ranked, scored } = rankSpace(db, memory, space, query, asked, depth)
      candidates += scored
      return ranked
    })
    const said = rankSaidThen(db, request, query, now, depth)
    candidates += said.length
    return withSaidThen(said, byWords).sort(byRank)
  })
  const ranked = withVectors(db, memory, fuseQuestions(rankings), request, view.sees, degraded)
  const floor = request.floor ?? 0
  const above = ranked.filter(one => one.score >= floor && one.score > 0)
  const below = above.length < ranked.length ? { below_floor: ranked.length - above.length } : {}
  return page(db, request, above.slice(0, depth), { offset, topK, candidates, skipped: below }, view, degraded)
}

/** A blank question in a scene asks what is remembered of it. */
function ofScene(db: Database, request: RecallRequest, scene: string, view: View, degraded: string[]): RecallResult {
  const topK = Math.min(SCENE_LIMIT, whole(request.topK, 0, SCENE_LIMIT))
  const offset = whole(request.offset, 0, 0)
  const ranked = rankScene(db, request, scene, offset + topK + MARGIN)
  return page(db, request, ranked, { offset, topK, candidates: ranked.length, skipped: {} }, view, degraded)
}

interface Page {
  readonly offset: number
  readonly topK: number
  readonly candidates: number
  readonly skipped: Readonly<Record<string, number>>
}

/** Arbitration, the page asked for, and what is linked with it. */
function page(
  db: Database,
  request: RecallRequest,
  ranked: readonly Ranked[],
  { offset, topK, candidates, skipped }: Page,
  view: View,
  degraded: string[],
): RecallResult {
  const settled = settle(db, request, ranked, view, degraded)
  const direct = settled.hits.slice(offset, offset + topK)
  const linked = associate(db, request, direct, whole(request.associate, 0, 0), view, degraded)
  const known = new Set(settled.superseded.map(one => one.row))
  const superseded = [...settled.superseded, ...linked.superseded.filter(one => !known.has(one.row))]
  const inactive = settled.inactive + linked.inactive
  const counters = {
    candidates,
    skipped: {
      ...skipped,
      ...(superseded.length > 0 && { superseded: superseded.length }),
      ...(inactive > 0 && { inactive }),
    },
  }
  const hits = [...direct, ...linked.hits]
  const listed = request.history === true ? superseded : []
  if (hits.length > 0) return { hits, superseded: listed, outcome: 'hits', counters, degraded }
  return { hits, superseded: listed, outcome: 'below_floor', notice: NOTICES.below_floor, counters, degraded }
}

function viewOf(db: Database, memory: RecallMemory, request: RecallRequest, spaces: readonly VisibleSpace[]): View {
  const sees = visibility(spaces)
  const { filters = {} } = request
  if (Object.values(filters).every(filter => filter === undefined)) return { sees, knows: sees }
  return { sees, knows: visibility(visibleSpaces(db, memory, unfiltered(request))) }
}

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
    return fuseVectors(ranked, near, request.fusion, request.weights)
  } catch (error) {
    degraded.push(`fusion_failed: ${reasonOf(error)}`)
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
    degraded.push(`abstention_failed: ${reasonOf(error)}`)
    return undefined
  }
}
