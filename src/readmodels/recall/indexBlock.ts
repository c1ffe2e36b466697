import type { Database } from 'better-sqlite3'
import { analyseText, parseFact } from '../analyse/index.ts'
import { addFresh, dropFresh, FRESH_ROWS, mergeFresh } from './fresh.ts'
import { statement } from './statements.ts'
import { packTerms } from './storedTerms.ts'

/** Where a line was said. Only lines of a conversation have one; facts that stand alone do not. */
export interface ConversationPlace {
  readonly session: string
  /** Order within the session; gaps and fractions are fine, no two lines should share one. */
  readonly position: number
  readonly speaker?: string
  /** Wall clock when it was said, milliseconds UTC. */
  readonly saidAt?: number
}

export interface BlockToIndex {
  /** `memory_blocks.row`. */
  readonly row: number
  /** `memory_blocks.ns`. */
  readonly ns: number
  /** The canonical text: the index depends on a block's id alone. */
  readonly canonicalText: string
  /** `memory_blocks.first_clock` and `first_event`: equal scores come in this order. Index the block again when they change. */
  readonly clock: number
  readonly event: string
  /** `memory_blocks.frame_ts`, for blocks that are no line of a conversation. Milliseconds UTC. */
  readonly saidAt?: number
  readonly conversation?: ConversationPlace
}

const SPACE_ADD = `
INSERT INTO recall_space (ns, blocks, length, lines, line_length, top, epoch) VALUES (?, 1, ?, ?, ?, ?, 0)
ON CONFLICT (ns) DO UPDATE SET blocks = blocks + 1, length = length + excluded.length, lines = lines + excluded.lines,
  line_length = line_length + excluded.line_length, epoch = epoch + (excluded.top <= top), top = max(top, excluded.top)`
const SPACE_TAKE = `
UPDATE recall_space SET blocks = blocks - 1, length = length - :length, lines = lines - :lines,
  line_length = line_length - :lineLength, epoch = epoch + 1 WHERE ns = :ns`
const WHOLE =
  'UPDATE recall_whole SET epoch = epoch + (? <= top), top = max(top, ?), fresh = fresh + 1 WHERE one = 1 RETURNING fresh'

/** `3_port`: a token under its namespace. Only characters the table's tokenizer keeps, so it is always one token. */
export function spacedToken(ns: number, token: string): string {
  return `${ns}_${token}`
}

/**
 * Puts a block into the recall index; one that is there already is replaced. Call it inside the transaction that writes
 * the row, for living blocks only, and again when its text, first clock or conversation place changes.
 */
export function indexBlock(db: Database, block: BlockToIndex): void {
  unindexBlock(db, block.row)
  indexNewBlock(db, block)
}

/** The same for a block that is known not to be there. */
export function indexNewBlock(db: Database, block: BlockToIndex): void {
  const { row, ns, conversation } = block
  const analysed = analyseText(block.canonicalText)
  const tokens = Array.from(analysed.terms.keys(), token => spacedToken(ns, token)).join(' ')
  addFresh(db, row, tokens)
  const addSymbol = statement(db, 'INSERT OR REPLACE INTO symbol (ns, text, level, row) VALUES (?, ?, ?, ?)')
  for (const symbol of analysed.symbols) addSymbol.run(ns, symbol.text, symbol.level, row)
  const fact = parseFact(block.canonicalText)?.key ?? null
  if (fact !== null) statement(db, 'INSERT INTO recall_fact (ns, key, row) VALUES (?, ?, ?)').run(ns, fact, row)
  statement(
    db,
    `INSERT INTO recall_terms (row, ns, length, asks, ends_asking, says_when, session, position, speaker, said_at, symbols, fact, event, terms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    row,
    ns,
    analysed.length,
    analysed.questionShare,
    Number(analysed.endsInQuestion),
    Number(analysed.saysWhen),
    conversation?.session ?? null,
    conversation?.position ?? null,
    conversation?.speaker ?? null,
    conversation?.saidAt ?? block.saidAt ?? null,
    analysed.symbols.length === 0 ? null : JSON.stringify(analysed.symbols.map(symbol => symbol.text)),
    fact,
    block.event,
    packTerms(analysed.terms),
  )
  statement(db, 'INSERT INTO recall_rank (row, length, clock) VALUES (?, ?, ?)').run(row, analysed.length, block.clock)
  const line = conversation === undefined ? 0 : 1
  statement(db, SPACE_ADD).run(ns, analysed.length, line, line * analysed.length, row)
  const fresh = statement(db, WHOLE).pluck().get(row, row) as number
  if (fresh >= FRESH_ROWS) mergeFresh(db)
}

interface Indexed {
  readonly ns: number
  readonly length: number
  readonly session: string | null
  readonly symbols: string | null
  readonly fact: string | null
}

/** Takes a block out of the recall index; a row that is not in it is left alone. Needs the row number only. */
export function unindexBlock(db: Database, row: number): void {
  const was = statement(db, 'SELECT ns, length, session, symbols, fact FROM recall_terms WHERE row = ?').get(row) as
    | Indexed
    | undefined
  if (was === undefined) return
  if (!dropFresh(db, row)) statement(db, 'DELETE FROM memory_blocks_fts WHERE rowid = ?').run(row)
  const dropSymbol = statement(db, 'DELETE FROM symbol WHERE ns = ? AND text = ? AND row = ?')
  for (const text of was.symbols === null ? [] : (JSON.parse(was.symbols) as string[]))
    dropSymbol.run(was.ns, text, row)
  if (was.fact !== null)
    statement(db, 'DELETE FROM recall_fact WHERE ns = ? AND key = ? AND row = ?').run(was.ns, was.fact, row)
  statement(db, 'DELETE FROM recall_terms WHERE row = ?').run(row)
  statement(db, 'DELETE FROM recall_rank WHERE row = ?').run(row)
  const line = was.session === null ? 0 : 1
  statement(db, SPACE_TAKE).run({ ns: was.ns, length: was.length, lines: line, lineLength: line * was.length })
}
