import type { Database } from 'better-sqlite3'
import type { AnalysedQuery } from '../analyse/index.ts'
import { type AskedWhen, bestDateFit } from './dateMatch.ts'
import type { RecallMemory } from './memory.ts'
import type { SessionLines } from './places.ts'
import { relevanceOf } from './relevance.ts'
import { SETTINGS } from './settings.ts'
import type { Space } from './space.ts'
import { namedSpeaker } from './speakers.ts'
import { readStored, type StoredRow } from './stored.ts'
import { countOf } from './storedTerms.ts'
import type { WeighedQuery } from './weigh.ts'

/** A row with its lexical score and what made it. */
export interface Scored {
  readonly stored: StoredRow
  /** 0 to 1: 1 would be a block that is nothing but the question, said by whom and when it names. */
  readonly score: number
  /** 0 to 1, comparable between questions and between memories of any size; see `relevanceOf`. In the order of `score`. */
  readonly relevance: number
  /** Words of the question in the row itself, and those only in the lines around it. */
  readonly own: readonly string[]
  readonly around: readonly string[]
  readonly bySpeaker: boolean
  readonly dateFit: number
  readonly when: boolean
}

/** A line and those around it; alone for what is no line of a conversation. */
interface Window {
  readonly stored: StoredRow
  /** Each neighbour with its share; the one just before comes first where there is one. */
  readonly near: readonly { readonly stored: StoredRow; readonly share: number }[]
  /** Length over all of them, and what the mean would be. */
  readonly length: number
  readonly mean: number
}

/**
 * Stage 2: scores candidate rows from their stored tokens.
 *
 *     f = tf + .4·(1 + [line before ends in a question])·tf(−1) + .4·tf(−2) + .2·tf(−3) + .2·tf(−4) + .2·tf(+1) + .1·tf(+2)
 *     x = f / (1 − b + b·L/mean L)              L over the line and its neighbours
 *     s = Σ weight · idf · (k1 + 1)·x/(x + k1)
 *
 * then the session's share and the factors of `SETTINGS`. Rows that are no line of a conversation have no neighbours and
 * no session. For lines, those around each candidate become candidates too.
 */
export function rescore(
  db: Database,
  memory: RecallMemory,
  space: Space,
  query: AnalysedQuery,
  asked: AskedWhen,
  weighed: WeighedQuery,
  candidates: readonly number[],
  allowed: Uint8Array | undefined,
): Scored[] {
  const { before, after } = SETTINGS
  const rows = new Map<number, StoredRow>()
  readStored(db, memory.ranks, space.ns, candidates, rows)
  const sessions = new Map<string, SessionLines>()
  for (const { session } of rows.values()) {
    if (session !== undefined && !sessions.has(session)) sessions.set(session, memory.places.lines(db, space, session))
  }
  const scored = new Set<number>(candidates.filter(row => rows.has(row)))
  const wanted = new Set<number>()
  for (const row of candidates) {
    const lines = sessions.get(rows.get(row)?.session ?? '')
    const at = lines?.indexOf.get(row)
    if (lines === undefined || at === undefined) continue
    const reach = before.length + after.length
    for (let i = Math.max(0, at - reach); i <= Math.min(lines.rows.length - 1, at + reach); i++) {
      const near = lines.rows[i] ?? 0
      wanted.add(near)
      if (i >= at - before.length && i <= at + after.length && (allowed === undefined || allowed[near] === 1))
        scored.add(near)
    }
  }
  readStored(db, memory.ranks, space.ns, wanted, rows)

  const mean = Math.max(1, space.length / Math.max(1, space.blocks))
  const lineMean = Math.max(1, space.lineLength / Math.max(1, space.lines))
  const windows = Array.from(scored).flatMap(row => {
    const stored = rows.get(row)
    return stored === undefined ? [] : [windowOf(stored, sessions, rows, mean, lineMean)]
  })
  const speaker = namedSpeaker(query.folded, new Set(windows.flatMap(({ stored }) => stored.speaker ?? [])))
  const results = windows.map(window => scoreWindow(window, weighed))
  addSessionPrior(results)
  const dated = asked.dates.length > 0 || asked.spans.length > 0
  const most = mostPossible(weighed, query, { speaker: speaker !== undefined, lines: space.lines > 0, dated })
  return results
    .filter(result => result.raw > 0)
    .map(({ stored, raw, own, around }) => {
      const bySpeaker = speaker !== undefined && stored.speaker === speaker
      const fit = bestDateFit(asked, stored.saidAt)
      const when = query.asksWhen && stored.saysWhen && stored.session !== undefined
      const line = stored.session !== undefined
      const found =
        raw *
        (bySpeaker ? SETTINGS.speaker : 1) *
        (line ? 1 - SETTINGS.asking * stored.asks : 1) *
        (when ? SETTINGS.when : 1) *
        (1 + fit)
      return {
        stored,
        score: found / most,
        relevance: relevanceOf(found, weighed, space.blocks),
        own,
        around,
        bySpeaker,
        dateFit: fit,
        when,
      }
    })
}

/** The highest `raw · factors` could get, so that scores stay within 0 to 1. */
function mostPossible(
  weighed: WeighedQuery,
  query: AnalysedQuery,
  { speaker, lines, dated }: { speaker: boolean; lines: boolean; dated: boolean },
): number {
  return (
    Math.max(weighed.most, Number.MIN_VALUE) *
    (lines ? 1 + SETTINGS.sessionPrior : 1) *
    (speaker ? SETTINGS.speaker : 1) *
    (lines && query.asksWhen ? SETTINGS.when : 1) *
    (dated ? 1 + SETTINGS.date.sameDay : 1)
  )
}

function windowOf(
  stored: StoredRow,
  sessions: ReadonlyMap<string, SessionLines>,
  rows: ReadonlyMap<number, StoredRow>,
  mean: number,
  lineMean: number,
): Window {
  const { before, after } = SETTINGS
  const lines = stored.session === undefined ? undefined : sessions.get(stored.session)
  const at = lines?.indexOf.get(stored.row)
  if (lines === undefined || at === undefined) return { stored, near: [], length: stored.length, mean }
  const near: { stored: StoredRow; share: number }[] = []
  const add = (index: number, share: number): void => {
    const neighbour = rows.get(lines.rows[index] ?? -1)
    if (neighbour !== undefined) near.push({ stored: neighbour, share })
  }
  before.forEach((share, i) => {
    const asked = i === 0 && rows.get(lines.rows[at - 1] ?? -1)?.endsAsking === true
    add(at - 1 - i, share * (asked ? 1 + SETTINGS.answer : 1))
  })
  after.forEach((share, i) => {
    add(at + 1 + i, share)
  })
  const length = near.reduce((sum, other) => sum + other.stored.length, stored.length)
  return { stored, near, length, mean: lineMean * (1 + before.length + after.length) }
}

interface Raw {
  readonly stored: StoredRow
  raw: number
  readonly own: string[]
  readonly around: string[]
}

function scoreWindow(window: Window, weighed: WeighedQuery): Raw {
  const { b, k1 } = SETTINGS
  const norm = 1 - b + (b * window.length) / window.mean
  const own: string[] = []
  const around: string[] = []
  let raw = 0
  for (const term of weighed.scoring) {
    const here = countOf(window.stored.terms, term.hash)
    let f = here
    for (const { stored, share } of window.near) f += share * countOf(stored.terms, term.hash)
    if (f === 0) continue
    const x = f / norm
    raw += (term.weight * term.idf * (k1 + 1) * x) / (x + k1)
    if (here > 0) own.push(term.surface)
    else around.push(term.surface)
  }
  return { stored: window.stored, raw, own, around }
}

/** Event order: earlier first event first. */
export function byEvent(a: StoredRow, b: StoredRow): number {
  return a.clock - b.clock || (a.event < b.event ? -1 : a.event > b.event ? 1 : 0)
}

/** `s += share · s_max · P(session)`, P the sum of `(s/s_max)²` over the best rows, scaled to its highest. */
function addSessionPrior(results: Raw[]): void {
  const best = [...results].sort((a, b) => b.raw - a.raw || byEvent(a.stored, b.stored)).slice(0, SETTINGS.sessionBest)
  const top = best[0]?.raw ?? 0
  if (top === 0) return
  const sums = new Map<string, number>()
  for (const { stored, raw } of best) {
    if (stored.session !== undefined) sums.set(stored.session, (sums.get(stored.session) ?? 0) + (raw / top) ** 2)
  }
  const highest = Math.max(0, ...sums.values())
  if (highest === 0) return
  for (const result of results) {
    const sum = sums.get(result.stored.session ?? '')
    if (sum !== undefined && result.stored.session !== undefined)
      result.raw += (SETTINGS.sessionPrior * top * sum) / highest
  }
}
