import type { Database } from 'better-sqlite3'
import { statement } from '../recall/statements.ts'
import type { DocumentAnswer, DueRequest } from './port.ts'
import { accessesOf, documentAnswer } from './read.ts'

/** A gap between two archivals counts as this share of the age at most, whatever the wall clock says. */
const LONGEST_GAP = 1 / 3

interface Row {
  readonly ns: number
  readonly doc: string
  readonly time: number
  readonly state: string
  readonly distilled: number
}

const IN_ORDER = `SELECT d.ns, d.doc, d.time, d.state, EXISTS (
    SELECT 1 FROM cold_distilled s WHERE s.ns = d.ns AND s.doc = d.doc AND (s.clock, s.event) > (d.clock, d.event)
  ) AS distilled
  FROM cold_docs d ORDER BY d.clock, d.event`

/**
 * Documents that have cooled: older than `age`, asked for on purpose `accesses` times at most, not distilled yet. The
 * age is that of a clock of the memory's own: it goes from archival to archival in event order, never back, and at
 * each gap by a third of `age` at most, so that a wall clock that jumps ahead cools nothing.
 */
export function dueDocuments(db: Database, { age, accesses, now, limit }: DueRequest): DocumentAnswer[] {
  const longest = age * LONGEST_GAP
  const rows = statement(db, IN_ORDER).all() as Row[]
  let clock = 0
  let wall: number | undefined
  const advance = (time: number): void => {
    if (wall !== undefined) clock += Math.min(Math.max(0, time - wall), longest)
    wall = time
  }
  const born = rows.map(row => {
    advance(row.time)
    return { row, at: clock }
  })
  advance(now)
  const due: DocumentAnswer[] = []
  for (const { row, at } of born) {
    if (due.length >= limit) break
    if (clock - at < age || isYounger(row, now, age) || row.distilled === 1 || row.state !== 'held') continue
    if (accessesOf(db, row.doc) > accesses) continue
    const document = documentAnswer(db, row.ns, row.doc)
    if (document !== null) due.push(document)
  }
  return due
}

/**
 * Whether the wall clock says that a document is younger, though steps of it add up to the age: those of two machines that
 * differ go to and fro. A clock that stands before the document's time was set back, and says nothing.
 */
function isYounger({ time }: Row, now: number, age: number): boolean {
  return time <= now && now - time < age
}
