/** Cases 23, 24, 25 and 28 from the field, through the plugin. */
import { describe, expect, it } from 'vitest'
import { serve } from '../../embedding/support/server.ts'
import { DIMENSION, embeddingService } from '../../support/embedding-service.ts'
import { modelOf } from '../law4/sabotage.ts'
import { agentIn, oursIn, rig } from '../rig.ts'

/** A service that answers each text with what is listed for it. */
async function answering(answers: Readonly<Record<string, string>>): Promise<string> {
  const { endpoint } = await serve(({ body }, response) => {
    expect(body).toMatchObject({ encoding_format: 'float' })
    response.writeHead(200, { 'content-type': 'application/json' }).end(answers[String(body.text)] ?? '{}')
  })
  return endpoint
}

const vector = (...values: readonly unknown[]) => JSON.stringify({ embedding: values })

describe('case 23: vectors that cannot be compared', () => {
  const ANSWERS = {
    a: vector(1, 0),
    b: vector(0.5, 0.5),
    z: vector(0, 0),
    n: '{"embedding": [NaN, 1]}',
    i: '{"embedding": [1e999, 0]}',
    d: vector(1, 0, 0),
    e: vector(),
    s: vector('1', '0'),
    near: vector(1, 0),
  }

  it('never enter through a commit: the block lands without one, and the top two are a and b every time', async () => {
    const endpoint = await answering(ANSWERS)
    const { memory, host } = await rig({ config: { embed: { endpoint, dimension: 2, budgetMs: 5_000 } } })
    const { session } = await agentIn(host)
    // Between bad answers comes a good one: a service that only fails would be left alone.
    for (const text of ['a', 'b', 'z', 'n', 'a', 'i', 'd', 'a', 'e', 's']) await memory.commit({ text }, { session })
    const reasons = oursIn(session.events, 'commit').map(({ text, noVector }) => [text, noVector])
    expect(reasons).toEqual([
      ['a', undefined],
      ['b', undefined],
      ['z', 'zero_vector'],
      ['n', 'not_json'],
      ['a', undefined],
      ['i', 'non_finite'],
      ['d', 'wrong_dimension'],
      ['a', undefined],
      ['e', 'wrong_dimension'],
      ['s', 'non_numeric'],
    ])
    for (let again = 0; again < 5; again++) {
      const { hits, counters } = await memory.recall('near', { session, topK: 2 })
      expect(hits.map(({ text }) => text)).toEqual(['a', 'b'])
      expect(counters.skipped).toMatchObject({ noVector: 6 })
    }
  })

  it.each(['z', 'n', 'd'])('as a question (%s): words alone, no throw', async question => {
    const endpoint = await answering(ANSWERS)
    const { memory, host } = await rig({ config: { embed: { endpoint, dimension: 2, budgetMs: 5_000 } } })
    const { session } = await agentIn(host)
    await memory.commit({ text: 'a' }, { session })
    const { degraded, counters, outcome } = await memory.recall(question, { session })
    expect(degraded).toEqual([expect.stringMatching(/^embed_error: /)])
    expect(counters.skipped).toMatchObject({ embedFailure: 1 })
    expect(['below_floor', 'empty_query']).toContain(outcome)
  })
})

describe('case 24: another model, then another endpoint, of one dimension', () => {
  it('old vectors are skipped by fingerprint, words find on, and it shows how many are to be embedded anew', async () => {
    const [one, two] = [await embeddingService(), await embeddingService()]
    const embed = (endpoint: string, model: string) => ({ endpoint, model, dimension: DIMENSION, budgetMs: 5_000 })
    const first = await rig({ config: { namespace: 'shared', embed: embed(one.endpoint, 'm1') } })
    const texts = Array.from({ length: 25 }, (_, n) => `note ${n} on port ${8_000 + n}`)
    const { session } = await agentIn(first.host)
    for (const text of texts) await first.memory.commit({ text }, { session })
    await first.host.stop()
    for (const service of [one, two]) service.now.status = 400
    for (const next of [embed(one.endpoint, 'm2'), embed(two.endpoint, 'm1')]) {
      const { memory, host } = await rig({ home: first.host.home, config: { namespace: 'shared', embed: next } })
      const agent = await agentIn(host)
      await expect.poll(async () => (await memory.stats()).embedding?.backfill?.failed, { timeout: 20_000 }).toBe(25)
      for (const service of [one, two]) delete service.now.status
      const answer = await memory.recall('port 8007', { session: agent.session })
      expect(answer.hits[0]).toMatchObject({ text: 'note 7 on port 8007', exact: true })
      expect(answer.counters.skipped).toMatchObject({ unknownSpace: 25 })
      expect((await memory.stats()).spaces).toMatchObject([{ vectors: 25, missing: 0 }])
      const model = modelOf({ memory, host } as never)
      const space = (await memory.stats()).embedding?.space ?? ''
      expect(await model.missing({ space, limit: 100 })).toHaveLength(25)
      for (const service of [one, two]) service.now.status = 400
      await host.stop()
    }
  })
})

describe('case 25: what a service of dimension 768 answers', () => {
  const numbers = Array.from({ length: 768 }, (_, n) => Math.sin(n + 1))
  const base64 = Buffer.from(Float32Array.from(numbers).buffer).toString('base64')

  it('a list of 768 numbers is taken (base64 too by openai); all else lands without a vector and is found by its words', async () => {
    const endpoint = await answering({
      'numbers 1': vector(...numbers),
      'base64 2': JSON.stringify({ embedding: base64 }),
      'short 3': vector(...numbers.slice(0, 192)),
      'strings 4': vector(...numbers.map(String)),
      'null 5': '{"embedding":null}',
    })
    const { memory, host } = await rig({ config: { embed: { endpoint, dimension: 768, budgetMs: 5_000 } } })
    const { session } = await agentIn(host)
    for (const text of ['base64 2', 'short 3', 'numbers 1', 'strings 4', 'null 5'])
      expect(await memory.commit({ text }, { session })).toMatchObject({ created: true })
    expect(oursIn(session.events, 'commit').map(({ noVector }) => noVector)).toEqual([
      'non_numeric',
      'wrong_dimension',
      undefined,
      'non_numeric',
      'missing_vector',
    ])
    for (const word of ['base64', 'short', 'strings', 'null'])
      expect((await memory.recall(word, { session })).hits[0]?.text).toContain(word)
  })
})

describe('case 28: a slow service', () => {
  it('costs a turn its deadline at the most, then nothing; commits are kept, and a cancel ends at once', async () => {
    const service = await embeddingService()
    const config = { embed: { endpoint: service.endpoint, dimension: DIMENSION }, injection: { deadlineMs: 500 } }
    const { memory, host } = await rig({ config })
    const { session } = await agentIn(host)
    await memory.commit({ text: 'the gateway port is 8443' }, { session })
    const agent = await agentIn(host)
    const took: number[] = []
    // The model's own turn takes what it takes; the first, with a quick service, is what the others are measured by.
    for (const delayMs of [0, 800, 30_000, 30_000, 30_000]) {
      service.now.delayMs = delayMs
      const began = performance.now()
      await host.runTurn(agent, `What is the gateway port? (${took.length})`)
      took.push(performance.now() - began)
    }
    const [usual = 0, ...slow] = took
    for (const turn of slow) expect(turn).toBeLessThan(usual + 500 + 700)
    expect((await memory.stats()).embedding).toMatchObject({ breaker: 'open', failures: { deadline: 3 } })
    const asked = service.times.length
    await memory.commit({ text: 'the owner is Lin Wei' }, { session })
    expect((await memory.recall('owner', { session })).hits[0]?.text).toBe('the owner is Lin Wei')
    expect(service.times).toHaveLength(asked)
  }, 30_000)

  it('a cancel in the middle ends at once, and the request with it', async () => {
    const service = await embeddingService()
    const config = { embed: { endpoint: service.endpoint, dimension: DIMENSION, budgetMs: 20_000 } }
    const { memory, host } = await rig({ config })
    const { session } = await agentIn(host)
    await memory.commit({ text: 'the gateway port is 8443' }, { session })
    service.now.delayMs = 30_000
    const cancel = new AbortController()
    const asking = memory.recall('gateway', { session, signal: cancel.signal }).catch(() => undefined)
    await expect.poll(() => service.times.length, { interval: 10 }).toBe(2)
    const began = performance.now()
    cancel.abort()
    await asking
    expect(performance.now() - began).toBeLessThan(500)
    await expect.poll(() => service.abandoned()).toBe(1)
  }, 30_000)
})
