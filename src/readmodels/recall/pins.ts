import type { Database } from 'better-sqlite3'
import type { QuerySymbol } from '../analyse/index.ts'
import type { Allowed } from './candidates.ts'
import { statement } from './statements.ts'

export interface Pin {
  /** Sum over the question's symbols of 1 for a whole token, .5 for a part of one; over their number: 0 to 1. */
  share: number
  readonly symbols: string[]
}

/** Rows that hold symbols of the question as whole tokens. */
export function findPins(
  db: Database,
  ns: number,
  symbols: readonly QuerySymbol[],
  allowed: Allowed,
): Map<number, Pin> {
  const pinning = symbols.filter(symbol => symbol.pins)
  const pins = new Map<number, Pin>()
  const find = statement(db, 'SELECT row, level FROM symbol WHERE ns = ? AND text = ?').raw()
  for (const symbol of pinning) {
    for (const [row, level] of find.all(ns, symbol.text) as [number, number][]) {
      if (allowed !== undefined && allowed[row] !== 1) continue
      const pin = pins.get(row) ?? { share: 0, symbols: [] }
      pin.share += (level === 2 ? 1 : 0.5) / pinning.length
      pin.symbols.push(symbol.text)
      pins.set(row, pin)
    }
  }
  return pins
}
