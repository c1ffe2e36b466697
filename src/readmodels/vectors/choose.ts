import type { Database } from 'better-sqlite3'
import { statement } from '../recall/statements.ts'
import { Candidates } from './candidates.ts'
import { tablesOf } from './code/question.ts'
import { type HeldPage, heldShelves } from './held.ts'
import { product } from './scan/page.ts'
import { SEARCH } from './settings.ts'
import { isCoded, type Shelf } from './shelves.ts'

/** Whether a request may see a row of a namespace; without it, all. */
export type Allowed = ((row: number, ns: number) => boolean) | undefined

/**
 * The numbers of the vectors to compare exactly. Few vectors are taken whole. Of many, a scan of the first halves of
 * their codes takes the best several hundred, and their whole codes the best of those. Which ones are taken never depends
 * on the numbers that rows have in this file.
 *
 * @param question of length 1, centred as the codes are
 */
export function choose(
  db: Database,
  shelves: readonly Shelf[],
  question: Float64Array,
  k: number,
  allowed: Allowed,
): readonly number[] {
  const all = shelves.reduce((sum, { live }) => sum + live, 0)
  if (all <= SEARCH.exactBelow || !isCoded(question.length)) return shelves.flatMap(shelf => list(db, shelf, allowed))
  const held = heldShelves(db)
  const tables = tablesOf(question)
  held.pages.ask(tables.entries)
  const coarse = Math.max(SEARCH.coarse, SEARCH.coarsePerHit * k)
  const candidates = new Candidates<HeldPage>(coarse, tables.highest)
  const busy = new Set(shelves.map(({ shelf }) => shelf))
  let passed = false
  for (const shelf of shelves) {
    held.visit(db, shelf, busy, (page, blocks) => {
      passed ||= page.page === held.pages.passing
      scan(held.pages.scan(page.page, blocks), page, shelf.ns, allowed, candidates)
    })
  }
  const met = candidates.take()
  // Codes that only passed through are gone again.
  const numbers = passed
    ? met.map(({ vector }) => vector)
    : best(
        met.map(({ vector, page, place }) => ({
          vector,
          score: product(tables.fine, held.pages.at(page.page), place, page.seconds),
        })),
        Math.max(SEARCH.fine, SEARCH.finePerHit * k),
      )
  return numbers.length <= Math.max(coarse, SEARCH.mostTied) ? numbers : earliest(db, numbers)
}

function scan(sums: Uint16Array, page: HeldPage, ns: number, allowed: Allowed, candidates: Candidates<HeldPage>): void {
  const { vectors, rows, count } = page
  for (let place = 0; place < count; place++) {
    const sum = sums[place] ?? 0
    if (sum < candidates.least) continue
    const vector = vectors[place] ?? 0
    if (vector !== 0 && (allowed === undefined || allowed(rows[place] ?? 0, ns))) {
      candidates.offer(vector, sum, page, place)
    }
  }
}

/** The best by score, and all that are equal to the last of them. */
function best(scored: { readonly vector: number; readonly score: number }[], capacity: number): number[] {
  if (scored.length > capacity) scored.sort((a, b) => b.score - a.score)
  const least = scored[capacity - 1]?.score ?? Number.NEGATIVE_INFINITY
  return scored.flatMap(({ vector, score }) => (score >= least ? [vector] : []))
}

function list(db: Database, { shelf, ns }: Shelf, allowed: Allowed): number[] {
  const rows = statement(db, 'SELECT vector, row FROM vector_codes WHERE shelf = ? AND code IS NOT NULL')
    .raw()
    .all(shelf) as [vector: number, row: number][]
  return rows.flatMap(([vector, row]) => (allowed === undefined || allowed(row, ns) ? [vector] : []))
}

/** Of too many with one code, those that were said first. */
function earliest(db: Database, vectors: readonly number[]): number[] {
  return statement(
    db,
    `SELECT v.vector FROM json_each(?) j JOIN vectors v ON v.vector = j.value
     ORDER BY v.clock, v.event, v.target, v.ns LIMIT ?`,
  )
    .pluck()
    .all(JSON.stringify(vectors), SEARCH.mostTied) as number[]
}
