/** Folding events into a database in memory, and looking at what came of it. */
import type { Database } from 'better-sqlite3'
import type { StoredEvent } from '../../../src/events/index.ts'
import { openDatabase } from '../../../src/readmodels/database/open.ts'
import { dumpLines } from '../../../src/readmodels/dump.ts'
import type { RecallAnswer, Scope } from '../../../src/readmodels/index.ts'
import { emptyTally, type FoldOutcome, type FoldTally, Projector } from '../../../src/readmodels/projector/index.ts'
import { answerRecall } from '../../../src/readmodels/worker/answer.ts'
import { NS_A, NS_B } from '../../support/events.ts'

export interface Folded {
  readonly db: Database
  readonly outcomes: readonly FoldOutcome[]
  readonly tally: FoldTally
  readonly projector: Projector
}

/** Folds lists of events, each list in one transaction. */
export function foldPieces(
  pieces: ReadonlyArray<readonly StoredEvent[]>,
  make: (db: Database) => Projector = db => new Projector(db),
): Folded {
  const { db } = openDatabase(':memory:')
  const projector = make(db)
  const tally = emptyTally()
  const outcomes = pieces.flatMap(piece =>
    db.transaction(() => piece.map(event => projector.fold(event, tally, false))).immediate(),
  )
  return { db, outcomes, tally, projector }
}

export function fold(...events: StoredEvent[]): Folded {
  return foldPieces([events])
}

/** The canonical dump of a database. */
export function dump(db: Database): string {
  return [...dumpLines(db)].join('\n')
}

/** The dump of a fold that is not looked at any further. */
export function dumpOf(pieces: ReadonlyArray<readonly StoredEvent[]>, make?: (db: Database) => Projector): string {
  const { db } = foldPieces(pieces, make)
  try {
    return dump(db)
  } finally {
    db.close()
  }
}

/** One row of `memory_blocks`, by its text as it is shown. */
export function block(db: Database, text: string): Record<string, unknown> | undefined {
  return db.prepare('SELECT * FROM memory_blocks WHERE text_content = ?').get(text) as
    | Record<string, unknown>
    | undefined
}

export function count(db: Database, table: string): number {
  return Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get())
}

export const QUESTIONS = [
  'what is the staging port?',
  'svc|port=8080',
  'ERR_CONN_42',
  '端口 8080',
  'who is the cat, and where is the café?',
  'what did Ann say?',
] as const

/** What every question brings in every scope, without what time it took. */
export function answers(db: Database): Array<Omit<RecallAnswer, 'clock'>> {
  const scopes: ReadonlyArray<readonly [Scope, string]> = [
    ['namespace', NS_A.id],
    ['namespace', NS_B.id],
    ['all', NS_A.id],
  ]
  return QUESTIONS.flatMap(query =>
    scopes.map(([scope, namespace]) =>
      timeless(answerRecall(db, { query, scope, namespace, topK: 10, history: true }, [], 0)),
    ),
  )
}

/** An answer without milliseconds, which are the only thing in it that may differ. */
export function timeless<A extends Pick<RecallAnswer, 'counters'>>(answer: A): A {
  return { ...answer, counters: { ...answer.counters, milliseconds: 0 } }
}
