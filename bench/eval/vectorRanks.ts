import { readFileSync } from 'node:fs'
import type { NearBlock } from '../../src/readmodels/index.ts'

/** Stored rankings of one embedding model: for a query the documents nearest to it, best first. */
export type VectorRanks = ReadonlyMap<string, readonly string[]>

/** Reads `{model: {query id: [doc ids]}}`. Throws, naming the models there are, when the one asked for is not among them. */
export function readVectorRanks(file: string, model: string): VectorRanks {
  const stored = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, readonly string[]>>
  const ranks = stored[model]
  if (ranks === undefined) throw new Error(`${file} has no model ${model}; it has ${Object.keys(stored).join(', ')}`)
  return new Map(Object.entries(ranks))
}

/** A stored ranking as a vector search would answer. It holds places only: similarities that fall evenly stand for them. */
export function nearBlocks(ranked: readonly string[], blockOf: ReadonlyMap<string, string>): NearBlock[] {
  return ranked.flatMap((document, place) => {
    const id = blockOf.get(document)
    return id === undefined ? [] : [{ id, similarity: 1 - place / 100 }]
  })
}
