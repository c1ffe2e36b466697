import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type EmbedSettings, embeddingProvider, LocalProvider } from '../../src/embedding/index.ts'
import { MODEL_FILES, modelFolder } from './support/model-folder.ts'
import { codes, failures, timed, vectors } from './support/results.ts'

const PEER = new URL('./support/stub-peer.ts', import.meta.url).href
const DOCUMENT = { side: 'document' } as const

function local(
  directory: string,
  settings: EmbedSettings = {},
  options: ConstructorParameters<typeof LocalProvider>[1] = {},
): LocalProvider {
  const made = new LocalProvider({ ...settings, directory }, { peer: PEER, ...options })
  onTestFinished(() => made.close())
  return made
}

describe('a local model', () => {
  it('embeds, names its space by content, and says so only when it is loaded', async () => {
    const made = local(modelFolder())
    expect(made.space).toBeUndefined()
    expect(vectors(await made.embed(['a', '', 'bbb'], DOCUMENT))).toEqual([[1, 2, 0.5], 'empty_text', [3, 2, 0.5]])
    expect(made.space).toMatchObject({ dimension: 3, provider: 'local', model: 'tiny' })
    expect(made.space?.fingerprint).toMatch(/^local:tiny:3:[0-9a-f]{8}$/)
    expect(made.problem).toBeUndefined()
  })

  it('has the same space wherever it lies, and another when anything that decides the vectors differs', async () => {
    const differently = [
      { 'onnx/model.onnx': 'other weights' },
      { 'tokenizer.json': '{"x": 1}' },
      { 'config.json': '{"x": 1}' },
      { '1_Pooling/config.json': '{"pooling_mode_cls_token": true}' },
      { 'config_sentence_transformers.json': '{"prompts": {"query": "q: "}}' },
      { 'onnx/model.onnx_data': 'more weights' },
    ]
    const made = [{}, {}, ...differently].map(files => local(modelFolder({ ...MODEL_FILES, ...files })))
    await Promise.all(made.map(({ ready }) => ready))
    const names = made.map(({ space }) => space?.fingerprint)
    expect(names[0]).toBe(names[1])
    expect(new Set(names).size).toBe(1 + differently.length)
  })

  it('is pooled and prompted as its folder says, and loaded from it alone', async () => {
    const files = {
      ...MODEL_FILES,
      '1_Pooling/config.json': '{"pooling_mode_cls_token": true}',
      'config_sentence_transformers.json': '{"prompts": {"query": "query: ", "document": "passage: "}}',
    }
    const made = local(modelFolder(files))
    expect(vectors(await made.embed(['a!settings'], DOCUMENT))).toEqual([[2, 1, 1]])
    expect(vectors(await made.embed(['a'], { side: 'query' }))).toEqual([[8, 1, 1]])
    expect(vectors(await made.embed(['a'], DOCUMENT))).toEqual([[10, 1, 0.5]])
  })

  it('leaves the event loop free while it thinks', async () => {
    const made = local(modelFolder())
    await made.ready
    let longest = 0
    let last = performance.now()
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 5)
    const { ms } = await timed(made.embed(['a!busy'], DOCUMENT))
    clearInterval(timer)
    expect(ms).toBeGreaterThan(350)
    expect(longest).toBeLessThan(200)
  })

  it('answers abort and deadline at once, and lets a question pass many documents', async () => {
    const made = local(modelFolder())
    await made.ready
    const caller = new AbortController()
    const documents = Array.from({ length: 40 }, (_, at) => `${at}!busy`.padStart(9))
    const call = timed(made.embed(documents, { side: 'document', signal: caller.signal }))
    const late = await timed(made.embed(['a'], { side: 'query', deadline: 50 }))
    expect(codes(late.value)).toEqual(['deadline'])
    expect(late.ms).toBeLessThan(250)
    caller.abort()
    const { value, ms } = await call
    expect(new Set(codes(value))).toEqual(new Set(['aborted']))
    expect(ms).toBeLessThan(500)
    const question = await timed(made.embed(['a'], { side: 'query' }))
    expect(codes(question.value)).toEqual(['ok'])
    expect(question.ms).toBeLessThan(8 * 400 + 1_000)
  })

  it('does not make a call wait longer than its deadline for the model to load', async () => {
    const made = local(modelFolder(MODEL_FILES, 'slow-to-load'))
    const { value, ms } = await timed(made.embed(['a'], { side: 'query', deadline: 30 }))
    expect(codes(value)).toEqual(['deadline'])
    expect(ms).toBeLessThan(200)
    expect(codes(await made.embed(['a'], { side: 'query' }))).toEqual(['ok'])
  })

  it.each([
    ['a!throw', 'model_unusable'],
    ['a!shape', 'model_unusable'],
    ['a!die', 'worker_died'],
    ['a!forever', 'timeout'],
    ['a!nan', 'non_finite'],
    ['a!zero', 'zero_vector'],
  ])('that fails with %s: %s, and works again afterwards', async (text, code) => {
    const made = local(modelFolder(), { timeoutMs: 1_500 })
    await made.ready
    const before = made.space
    expect(codes(await made.embed([text], DOCUMENT))).toEqual([code])
    expect(codes(await made.embed(['a'], DOCUMENT))).toEqual(['ok'])
    expect(made.space).toEqual(before)
  })

  it('that dies while nobody waits takes nothing along', async () => {
    const made = local(modelFolder())
    expect(codes(await made.embed(['a!later'], DOCUMENT))).toEqual(['ok'])
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(codes(await made.embed(['a'], DOCUMENT))).toEqual(['ok'])
  })

  it('that keeps failing is left alone', async () => {
    const made = local(modelFolder(), {}, { breaker: { threshold: 2 } })
    for (let time = 0; time < 2; time += 1) await made.embed(['a!throw'], DOCUMENT)
    expect(made.breaker).toBe('open')
    expect(codes(await made.embed(['a'], DOCUMENT))).toEqual(['breaker_open'])
  })

  it('that was changed under way is not mixed with what it was', async () => {
    const folder = modelFolder()
    const made = local(folder)
    await made.ready
    writeFileSync(join(folder, 'onnx/model.onnx'), 'other weights')
    await made.embed(['a!die'], DOCUMENT)
    expect(failures(await made.embed(['a'], DOCUMENT))).toMatchObject([
      { code: 'model_unusable', message: expect.stringContaining('has changed') },
    ])
  })

  it('answers nothing after its end', async () => {
    const made = local(modelFolder())
    const call = made.embed(['a!busy'], DOCUMENT)
    await made.close()
    expect(codes(await call)).toEqual(['closed'])
    expect(codes(await made.embed(['a'], DOCUMENT))).toEqual(['closed'])
    expect(await made.embed([], DOCUMENT)).toEqual([])
  })
})

describe('a local model that cannot be used', () => {
  /** Why it cannot, said by `problem` and by every call alike. */
  async function problemOf(made: LocalProvider): Promise<string> {
    await made.ready
    expect(made.space).toBeUndefined()
    expect(failures(await made.embed(['a'], DOCUMENT))).toEqual([made.problem])
    return `${made.problem?.code}: ${made.problem?.message}`
  }

  it('for want of the package: says which to install', async () => {
    const peer = 'a-package-that-nobody-has-installed'
    expect(await problemOf(local(modelFolder(), {}, { peer }))).toBe(
      'peer_missing: embed.directory needs the package @huggingface/transformers; install it beside dsh-hologram',
    )
  })

  it('for a package that is another', async () => {
    expect(await problemOf(local(modelFolder(), {}, { peer: 'node:os' }))).toContain('peer_missing: node:os has no')
  })

  it.each(Object.keys(MODEL_FILES))('for want of %s', async name => {
    const files = Object.fromEntries(Object.entries(MODEL_FILES).filter(([file]) => file !== name))
    expect(await problemOf(local(modelFolder(files)))).toMatch(/^model_unusable: the model folder has no .*(json|onnx)/)
  })

  it('for files that are not what they should be, without naming where they lie', async () => {
    const broken = local(modelFolder({ ...MODEL_FILES, '1_Pooling/config.json': '{' }))
    expect(await problemOf(broken)).toBe('model_unusable: 1_Pooling/config.json of the model folder is not JSON')
    expect(await problemOf(local(modelFolder(MODEL_FILES, 'broken')))).toBe(
      'model_unusable: no such operator: Frobnicate',
    )
  })

  it('for a dimension that is not its own', async () => {
    expect(await problemOf(local(modelFolder(), { dimension: 768 }))).toBe(
      'bad_settings: embed.dimension is 768, and the model gives 3; remove the setting',
    )
    const right = local(modelFolder(), { dimension: 3, model: 'named' })
    await right.ready
    expect(right.space?.model).toBe('named')
  })

  it('for taking too long to load', async () => {
    const made = local(modelFolder(MODEL_FILES, 'never-loads'), {}, { startMs: 1_000 })
    expect(await problemOf(made)).toContain('timeout: ')
  })

  it('is what a folder makes of the settings', async () => {
    const made = embeddingProvider({ directory: modelFolder({}) })
    onTestFinished(() => made.close())
    expect(made).toBeInstanceOf(LocalProvider)
    await made.ready
    expect(made.problem?.code).toBe('model_unusable')
  })
})
