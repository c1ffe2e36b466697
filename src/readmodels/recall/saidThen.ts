import type { Database } from 'better-sqlite3'
import type { AnalysedQuery } from '../analyse/index.ts'
import { byRank, type Ranked } from './rankSpace.ts'
import type { RecallRequest } from './request.ts'
import { SETTINGS } from './settings.ts'
import { isNamed } from './speakers.ts'
import { statement } from './statements.ts'
import { type DaySpan, nameOfSpan, readingsOf, timesOfSpan } from './timeSpans.ts'
import { conditionsOf } from './visible.ts'

/** Rows among which a speaker is looked for. */
const HEARD = 2_000
/** What may be the name of a speaker: not a sentence. UTF-16 units. */
const NAME_UNITS = 40

type Row = [row: number, clock: number, event: string, time: number, speaker: string | null]

/** The time path: what was said on the days a question is about, when it asks nothing else (or only who said it). */
export function rankSaidThen(
  db: Database,
  request: RecallRequest,
  query: AnalysedQuery,
  now: number,
  depth: number,
): Ranked[] {
  if (query.times.length === 0 || query.beside.length > NAME_UNITS) return []
  for (const spans of readingsOf(query.times, now)) {
    const ranked = [...new Set(request.namespaces)]
      .flatMap(ns => saidIn(db, request, ns, spans, query.beside, depth))
      .sort(byRank)
      .slice(0, depth)
    if (ranked.length > 0) return ranked
  }
  return []
}

function saidIn(
  db: Database,
  request: RecallRequest,
  ns: number,
  spans: readonly DaySpan[],
  name: string,
  depth: number,
): Ranked[] {
  const { sql, values } = conditionsOf(db, ns, request)
  const times = spans.map(timesOfSpan)
  const then = times.map(() => 'coalesce(b.frame_ts, b.created_at) BETWEEN ? AND ?').join(' OR ')
  const rows = statement(
    db,
    `SELECT b.row, b.first_clock, b.first_event, coalesce(b.frame_ts, b.created_at), b.speaker
     FROM memory_blocks b WHERE b.ns = ? AND b.inactive = 0 AND (${then})${sql}
     ORDER BY b.first_clock, b.first_event LIMIT ?`,
  )
    .raw()
    .all(
      ns,
      ...times.flatMap(({ from, to }) => [from, to]),
      ...values,
      name === '' ? depth : Math.max(HEARD, depth),
    ) as Row[]
  const heard = name === '' ? rows : rows.filter(([, , , , speaker]) => speaker !== null && isNamed(name, speaker))
  return heard.slice(0, depth).map(([row, clock, event, time, speaker]): Ranked => {
    const span = times.findIndex(({ from, to }) => time >= from && time <= to)
    const by = name === '' ? '' : ` by ${speaker ?? ''}`
    const why = (): string => `said ${nameOfSpan(spans[span] ?? { first: 0, last: 0 })}${by}`
    return { row, ns, score: SETTINGS.saidThen, words: 0, pinned: 0, why, clock, event }
  })
}

/**
 * Puts what was said then before what only shares words with the question, such as "happened"; pins stay above both, and
 * both keep their reasons.
 */
export function withSaidThen(said: readonly Ranked[], byWords: readonly Ranked[]): Ranked[] {
  if (said.length === 0) return [...byWords]
  const then = new Map(said.map(one => [one.row, one]))
  const others = byWords.flatMap((one): Ranked[] => {
    const same = then.get(one.row)
    if (same === undefined) return [one.pinned > 0 ? one : { ...one, score: one.score * SETTINGS.saidThen }]
    if (one.pinned === 0) return []
    then.delete(one.row)
    return [{ ...one, why: () => `${one.why()}; ${same.why()}` }]
  })
  return [...then.values(), ...others].sort(byRank)
}
