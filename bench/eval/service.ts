/** How long a commit waits for its vector here, in milliseconds: what is scored is the ranking, not the waiting. */
const PATIENCE_MS = 60_000

/** The settings for an embedding service in the `openai` protocol; the length of its vectors is asked of it. */
export async function serviceAt(endpoint: string, model: string) {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, input: ['probe'], encoding_format: 'float' }),
  })
  if (!response.ok) throw new Error(`${endpoint} answered ${response.status}`)
  const { data } = (await response.json()) as { data: { embedding: number[] }[] }
  const dimension = data[0]?.embedding.length
  if (dimension === undefined) throw new Error(`${endpoint} gave no vector`)
  return { endpoint, model, dimension, protocol: 'openai', timeoutMs: PATIENCE_MS, budgetMs: PATIENCE_MS } as const
}
