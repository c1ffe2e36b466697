import type { MemoryStats } from '../memory.ts'

/** How embedding goes, in lines for people; none where vectors are not asked for. */
export function describeEmbedding(embedding: MemoryStats['embedding']): string[] {
  if (embedding === undefined) return []
  const { space, problem, breaker, failures, lastError, backfill } = embedding
  return [
    problem === null ? `vectors are written in ${space ?? 'no space yet'}` : `there are no vectors: ${problem}`,
    ...(breaker === 'closed' ? [] : ['the embedding service failed repeatedly and is left alone for a while']),
    ...Object.entries(failures).map(([code, count]) => `${count} texts or questions got no vector: ${code}`),
    ...(lastError === null ? [] : [`the last of them: ${lastError}`]),
    ...(backfill === undefined || backfill.brought === 0 ? [] : [`${backfill.brought} late vectors were brought`]),
    ...(backfill === undefined || backfill.trouble === '' ? [] : [`vectors are still missing: ${backfill.trouble}`]),
  ]
}
