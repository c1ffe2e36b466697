import type { Database } from 'better-sqlite3'
import { blockId, canonicalText } from '../../events/index.ts'
import { EVERYWHERE } from '../projector/tombstones.ts'
import { statement } from '../recall/statements.ts'
import type { Page, PagePart } from './port.ts'

/** Pieces of one part that are compared; longer parts are compared as far as that. */
const MAX_PIECES = 5_000
const SENTENCE_END = /(?<=[.!?。！？;；])\s*/u

/**
 * Tells whether recall must withhold a page: a purge named it, or it says what is forgotten. Of a purged block only the
 * hash of its text is known, so pages are compared by the hashes of what they are made of: parts, lines, sentences,
 * and the strings in the arguments of calls.
 */
export function withholding(db: Database, ns: number): (page: Page) => boolean {
  const named = statement(
    db,
    `SELECT 1 FROM cold_withheld WHERE ns IN (${EVERYWHERE}, ?) AND doc = ? AND page = ? LIMIT 1`,
  )
  const forgotten = forgottenIn(db, ns)
  return ({ doc, page, parts }) => {
    if (named.get(ns, doc, page) !== undefined) return true
    return forgotten !== undefined && parts.some(part => piecesOf(part).some(forgotten))
  }
}

/** Whether a text is a purged block's that was not committed again since; `undefined` where nothing was purged. */
function forgottenIn(db: Database, ns: number): ((text: string) => boolean) | undefined {
  const any = statement(db, `SELECT 1 FROM tombstones WHERE ns IN (${EVERYWHERE}, ?) LIMIT 1`).get(ns)
  if (any === undefined) return undefined
  const buried = statement(db, `SELECT 1 FROM tombstones WHERE ns IN (${EVERYWHERE}, ?) AND block = ? LIMIT 1`)
  const lives = statement(db, 'SELECT 1 FROM memory_blocks WHERE ns = ? AND id = ?')
  return text => {
    const id = blockId(text)
    return buried.get(ns, id) !== undefined && lives.get(ns, id) === undefined
  }
}

function piecesOf({ kind, text }: PagePart): string[] {
  const whole = kind === 'call' ? [text, ...stringsIn(text)] : [text]
  const pieces = new Set<string>()
  for (const one of whole) {
    add(pieces, one)
    for (const line of one.split('\n')) {
      if (pieces.size > MAX_PIECES) break
      add(pieces, line)
      for (const sentence of line.split(SENTENCE_END)) {
        add(pieces, sentence)
        add(pieces, sentence.replace(/[.!?。！？;；]+$/u, ''))
      }
    }
  }
  return [...pieces]
}

function add(pieces: Set<string>, text: string): void {
  const canonical = canonicalText(text)
  if (canonical !== '') pieces.add(canonical)
}

/** Every string in a call's arguments, however deep. */
function stringsIn(args: string): string[] {
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (found.length > MAX_PIECES) return
    if (typeof value === 'string') found.push(value)
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) visit(one)
  }
  try {
    visit(JSON.parse(args))
  } catch {
    // Arguments that are no JSON are compared as text.
  }
  return found
}
