import { describe, expect, it, onTestFinished } from 'vitest'
import { type EmbedSettings, HttpProvider } from '../../src/embedding/index.ts'
import { codes, failures, timed, vectors } from './support/results.ts'
import { DIMENSION, json, rightHologram, rightOpenai, serve, vectorOf } from './support/server.ts'

function provider(settings: EmbedSettings, options?: ConstructorParameters<typeof HttpProvider>[1]): HttpProvider {
  const made = new HttpProvider({ dimension: DIMENSION, model: 'm', ...settings }, options)
  onTestFinished(() => made.close())
  return made
}

const many = (count: number) => Array.from({ length: count }, (_, at) => 'x'.repeat(at + 1))

describe('the openai protocol', () => {
  it('asks for floats, in batches, and gives each text its vector', async () => {
    const server = await serve(rightOpenai)
    const texts = many(70)
    const results = await provider({ endpoint: server.endpoint, protocol: 'openai' }).embed(texts, { side: 'document' })
    expect(vectors(results)).toEqual(texts.map(vectorOf))
    expect(server.got.map(({ body }) => [Object.keys(body), body.encoding_format, body.model])).toEqual(
      Array(3).fill([['model', 'input', 'encoding_format'], 'float', 'm']),
    )
    expect(server.got.map(({ body }) => (Array.isArray(body.input) ? body.input.length : 0)).sort()).toEqual([
      32, 32, 6,
    ])
    expect(server.got.every(({ authorization }) => authorization === undefined)).toBe(true)
  })

  /** What three texts get when the service answers these items. */
  async function answered(items: unknown): Promise<(number[] | string)[]> {
    const server = await serve((_got, response) => json(response, { data: items }))
    const embedding = provider({ endpoint: server.endpoint, protocol: 'openai' })
    return vectors(await embedding.embed(['a', 'bb', 'ccc'], { side: 'document' }))
  }
  const item = (index: unknown, text: string) => ({ index, embedding: vectorOf(text) })

  it('takes a batch in any order by its indexes, and in its own order without', async () => {
    const right = ['a', 'bb', 'ccc'].map(vectorOf)
    expect(await answered([item(2, 'ccc'), item(0, 'a'), item(1, 'bb')])).toEqual(right)
    expect(await answered([item(undefined, 'a'), item(null, 'bb'), item(undefined, 'ccc')])).toEqual(right)
  })

  it('gives fewer items than asked to whom they belong, or to nobody', async () => {
    expect(await answered([item(2, 'ccc'), item(0, 'a')])).toEqual([vectorOf('a'), 'missing_vector', vectorOf('ccc')])
    expect(await answered([item(undefined, 'a'), item(undefined, 'bb')])).toEqual(Array(3).fill('wrong_count'))
  })

  it('trusts no answer of more items than asked, or with bad indexes', async () => {
    const four = [item(0, 'a'), item(1, 'bb'), item(2, 'ccc'), item(3, 'd')]
    expect(await answered(four)).toEqual(Array(3).fill('wrong_count'))
    for (const index of [0, 3, -1, 0.5, '1', undefined]) {
      expect(await answered([item(0, 'a'), item(index, 'bb'), item(2, 'ccc')])).toEqual(Array(3).fill('bad_index'))
    }
  })

  it('lets one bad vector of a batch spoil no other', async () => {
    const bad = { index: 1, embedding: [1, 2] }
    expect(await answered([item(0, 'a'), bad, item(2, 'ccc')])).toEqual([
      vectorOf('a'),
      'wrong_dimension',
      vectorOf('ccc'),
    ])
  })

  it('asks in halves when a batch is refused for one of its texts', async () => {
    const server = await serve((got, response, request) => {
      const { input } = got.body
      if (Array.isArray(input) && input.includes('xxxxx')) json(response, { error: 'too long' }, 400)
      else return rightOpenai(got, response, request)
    })
    const texts = many(8)
    const results = await provider({ endpoint: server.endpoint, protocol: 'openai' }).embed(texts, { side: 'document' })
    expect(vectors(results)).toEqual(texts.map(text => (text === 'xxxxx' ? 'http_status' : vectorOf(text))))
    expect(failures(results)[4]).toMatchObject({ status: 400, message: 'the service answered 400: too long' })
    expect(server.got.length).toBe(7)
  })
})

it('a service that refuses everything is not asked for each text', async () => {
  const server = await serve((_got, response) => json(response, { error: 'no such model' }, 400))
  const embedding = provider({ endpoint: server.endpoint, protocol: 'openai' })
  expect(codes(await embedding.embed(many(32), { side: 'document' }))).toEqual(Array(32).fill('http_status'))
  expect(server.got.length).toBe(10)
})

describe('the hologram protocol', () => {
  it('asks for one text at a time, names its side, and gives each text its vector', async () => {
    const server = await serve(rightHologram)
    const embedding = provider({ endpoint: server.endpoint })
    expect(vectors(await embedding.embed(['a', 'bb'], { side: 'query' }))).toEqual(['a', 'bb'].map(vectorOf))
    expect(server.got.map(({ body }) => body)).toEqual(
      ['a', 'bb'].map(text => ({ model: 'm', modality: 'text', side: 'query', encoding_format: 'float', text })),
    )
    await provider({ endpoint: server.endpoint, model: '' }).embed(['c'], { side: 'document' })
    expect(server.got.at(-1)?.body).toEqual({
      modality: 'text',
      side: 'document',
      encoding_format: 'float',
      text: 'c',
    })
  })

  it('takes a vector from `data` also, but not one of several', async () => {
    const items = [{ embedding: vectorOf('a') }]
    const server = await serve((_got, response) => json(response, { data: items }))
    const embedding = provider({ endpoint: server.endpoint })
    expect(vectors(await embedding.embed(['a'], { side: 'query' }))).toEqual([vectorOf('a')])
    items.push({ embedding: vectorOf('b') })
    expect(codes(await embedding.embed(['a'], { side: 'query' }))).toEqual(['wrong_count'])
  })
})

describe('case 25: what a service of dimension 768 may answer', () => {
  const numbers = Array.from({ length: 768 }, (_, at) => at / 1024 - 0.25)
  const base64 = Buffer.from(new Float32Array(numbers).buffer).toString('base64')
  it.each([
    ['array of 768 numbers', numbers, 'ok', 'ok'],
    ['base64 of 768 float32 LE', base64, 'ok', 'non_numeric'],
    ['array of 192 numbers', numbers.slice(0, 192), 'wrong_dimension', 'wrong_dimension'],
    [
      'base64 of 192',
      Buffer.from(new Float32Array(192).fill(1).buffer).toString('base64'),
      'wrong_dimension',
      'non_numeric',
    ],
    ['768 strings', numbers.map(String), 'non_numeric', 'non_numeric'],
    ['null', null, 'missing_vector', 'missing_vector'],
  ])('%s', async (_name, embedding, byOpenai, byHologram) => {
    const server = await serve((_got, response) => json(response, { embedding, data: [{ index: 0, embedding }] }))
    for (const [protocol, code] of [['openai', byOpenai] as const, ['hologram', byHologram] as const]) {
      const [result] = await provider({ endpoint: server.endpoint, protocol, dimension: 768 }).embed(['x'], {
        side: 'document',
      })
      expect(result?.ok ? 'ok' : result?.error.code).toBe(code)
      if (result?.ok) expect([...result.vector]).toEqual(numbers)
    }
    expect(server.got.map(({ body }) => body.encoding_format)).toEqual(['float', 'float'])
  })
})

describe('repetition', () => {
  it('helps against a service that is busy for a moment, and waits as long as it is asked to', async () => {
    let busy = 1
    const server = await serve((got, response, request) => {
      if (busy-- <= 0) return rightOpenai(got, response, request)
      response.writeHead(429, { 'retry-after': '1' }).end()
    })
    const embedding = provider({ endpoint: server.endpoint, protocol: 'openai' })
    const { value, ms } = await timed(embedding.embed(['a'], { side: 'document' }))
    expect(codes(value)).toEqual(['ok'])
    expect(ms).toBeGreaterThanOrEqual(999)
    expect(server.got.length).toBe(2)
  })

  it('is not tried beyond the deadline: the answer comes at once, with the time that was asked for', async () => {
    const server = await serve((_got, response) => {
      response.writeHead(503, { 'retry-after': '2' }).end()
    })
    const embedding = provider({ endpoint: server.endpoint, protocol: 'openai' })
    const { value, ms } = await timed(embedding.embed(['a'], { side: 'document', deadline: 1_000 }))
    expect(failures(value)).toMatchObject([{ code: 'http_status', status: 503, retryAfterMs: 2_000 }])
    expect(ms).toBeLessThan(900)
    expect(server.got.length).toBe(1)
  })
})

describe('connections', () => {
  it('are used again, and one that the service closed meanwhile costs no text its vector', async () => {
    let held: (() => void) | undefined
    const server = await serve((got, response, request) => {
      held = () => request.socket.resetAndDestroy()
      return rightOpenai(got, response, request)
    })
    const embedding = provider({ endpoint: server.endpoint, protocol: 'openai' })
    for (let time = 0; time < 3; time += 1) await embedding.embed(['a'], { side: 'document' })
    expect(server.connections()).toBe(1)
    held?.()
    expect(codes(await embedding.embed(['a'], { side: 'document' }))).toEqual(['ok'])
    expect(server.connections()).toBe(2)
  })

  it('are few at once, and documents leave one to questions', async () => {
    let open = 0
    let most = 0
    const waiting: (() => void)[] = []
    const server = await serve(async (got, response, request) => {
      open += 1
      most = Math.max(most, open)
      await new Promise<void>(resolve => waiting.push(resolve))
      open -= 1
      return rightHologram(got, response, request)
    })
    const embedding = provider({ endpoint: server.endpoint }, { places: 3 })
    const documents = embedding.embed(many(9), { side: 'document' })
    const arrived = async (count: number) => {
      while (waiting.length < count) await new Promise(resolve => setTimeout(resolve, 1))
    }
    await arrived(2)
    const question = embedding.embed(['q'], { side: 'query' })
    await arrived(3)
    expect(server.got.map(({ body }) => body.side)).toEqual(['document', 'document', 'query'])
    const timer = setInterval(() => {
      for (const go of waiting.splice(0)) go()
    }, 1)
    onTestFinished(() => clearInterval(timer))
    expect(codes(await question)).toEqual(['ok'])
    expect(vectors(await documents)).toEqual(many(9).map(vectorOf))
    expect(most).toBe(3)
  })
})
