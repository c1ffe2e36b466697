/** An embedding service on this machine, in either protocol; what it does may be changed while it runs. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Got, serve } from '../embedding/support/server.ts'

export const DIMENSION = 8

/** Words of one meaning share a direction, so that a question in other words lies near. */
const MEANINGS = [
  ['port', 'socket'],
  ['owner', 'responsible'],
  ['backup', 'snapshot'],
]

export function vectorOf(text: string): number[] {
  const vector = new Array<number>(DIMENSION).fill(0.01)
  MEANINGS.forEach((words, place) => {
    if (words.some(word => text.includes(word))) vector[place] = 1
  })
  return vector
}

export interface Behaviour {
  /** Answer with this status and no vector. */
  status?: number
  /** Wait so long before each answer, in milliseconds. */
  delayMs?: number
  /** Vectors of another length. */
  dimension?: number
}

export interface EmbeddingService {
  readonly endpoint: string
  /** Texts of all requests, in order of arrival. */
  readonly texts: readonly string[]
  /** When each request came, by `performance.now()`. */
  readonly times: readonly number[]
  /** Requests that their caller ended before they were answered. */
  readonly abandoned: () => number
  /** Takes effect with the next request. */
  readonly now: Behaviour
}

/** Ends with the test. */
export async function embeddingService(behaviour: Behaviour = {}): Promise<EmbeddingService> {
  const texts: string[] = []
  const times: number[] = []
  const now: Behaviour = { ...behaviour }
  let abandoned = 0
  const { endpoint } = await serve(async (got, response) => {
    const { status, delayMs = 0, dimension = DIMENSION } = now
    const asked = textsOf(got)
    texts.push(...asked)
    times.push(performance.now())
    response.on('close', () => {
      if (!response.writableEnded) abandoned += 1
    })
    if (delayMs > 0) await pause(delayMs)
    if (status !== undefined) {
      response.writeHead(status).end('{"error":"no"}')
      return
    }
    const vectors = asked.map(text => Array.from({ length: dimension }, (_, at) => vectorOf(text)[at] ?? 0.01))
    const body =
      'input' in got.body
        ? { data: vectors.map((embedding, index) => ({ index, embedding })) }
        : { embedding: vectors[0] }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  return { endpoint, texts, times, abandoned: () => abandoned, now }
}

function textsOf({ body }: Got): string[] {
  return 'input' in body ? (body.input as string[]) : [String(body.text)]
}
