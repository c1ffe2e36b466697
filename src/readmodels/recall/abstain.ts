import type { Database } from 'better-sqlite3'
import { type AnalysedQuery, type QuerySymbol, wholeToken, wordsOf } from '../analyse/index.ts'
import type { Allowed } from './candidates.ts'
import type { RecallMemory } from './memory.ts'
import type { Space } from './space.ts'
import { statement } from './statements.ts'

/** A namespace with what of it the request may see. */
export interface VisibleSpace {
  readonly space: Space
  readonly allowed: Allowed
}

const HAS_DIGIT = /\d/

function anyAllowed(rows: ArrayLike<number>, allowed: Allowed): boolean {
  if (allowed === undefined) return rows.length > 0
  for (let i = 0; i < rows.length; i++) if (allowed[rows[i] ?? 0] === 1) return true
  return false
}

function isStored(db: Database, memory: RecallMemory, { space, allowed }: VisibleSpace, symbol: QuerySymbol): boolean {
  const rows = statement(db, 'SELECT row FROM symbol WHERE ns = ? AND text = ?').pluck().all(space.ns, symbol.text)
  if (anyAllowed(rows as number[], allowed)) return true
  // In another letter case it does not pin, but it is no reason to say that memory knows nothing. Nor are words that
  // stand apart in memory and joined in the question (`title:draft`), as long as no digit makes them an id.
  const tokens = HAS_DIGIT.test(symbol.text) ? [wholeToken(symbol.text)] : wordsOf(symbol.text)
  return tokens.every(token => token !== undefined && anyAllowed(memory.postings.rows(db, space, token), allowed))
}

/**
 * Whether to refuse a question, in this order: one that points back (那个, it, earlier) is answered; so is one without
 * numbers or identifiers; so is one of whose symbols any is stored as a whole token; every other is refused.
 *
 * @returns the symbols that are not stored, when the question is to be refused
 */
export function missingSymbols(
  db: Database,
  memory: RecallMemory,
  query: AnalysedQuery,
  spaces: readonly VisibleSpace[],
): readonly string[] | undefined {
  if (query.pointsBack) return undefined
  const asked = query.symbols.filter(symbol => symbol.refuses)
  if (asked.length === 0) return undefined
  const anyStored = query.symbols.some(symbol => spaces.some(space => isStored(db, memory, space, symbol)))
  return anyStored ? undefined : asked.map(symbol => symbol.text)
}
