import { type EmbeddingFailure, failure } from '../failure.ts'
import type { EmbeddingResult } from '../provider.ts'
import { readVector } from '../vector.ts'
import { field } from './fields.ts'
import type { Protocol } from './protocol.ts'

/** One text a request; answers are `{embedding}` or `{data: [{embedding}]}`. */
export const hologram: Protocol = {
  batch: 1,
  request: ({ texts, side, model }) => ({
    ...(model === '' ? {} : { model }),
    modality: 'text',
    side,
    // Every request names the format, so that a service which also speaks base64 does not choose it.
    encoding_format: 'float',
    text: texts[0] ?? '',
  }),
  read: (body, _count, dimension) => [readOne(body, dimension)],
}

function readOne(body: unknown, dimension: number): EmbeddingResult {
  const data = field(body, 'data')
  if (field(body, 'embedding') !== undefined || !Array.isArray(data))
    return readVector(field(body, 'embedding'), dimension)
  if (data.length > 1) return failed(failure('wrong_count', `the answer holds ${data.length} vectors for one text`))
  return readVector(field(data[0], 'embedding'), dimension)
}

function failed(error: EmbeddingFailure): EmbeddingResult {
  return { ok: false, error }
}
