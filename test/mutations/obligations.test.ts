/** The obligations W1 to W8 of the write path, and `src` with one of them broken each. */
import { afterAll, describe, expect, it } from 'vitest'
import { removeTempDirs } from '../support/temp.ts'
import { checked, type Mutation } from './mutants.ts'

afterAll(removeTempDirs)

const MUTATIONS: ReadonlyArray<readonly [obligation: string, what: string, mutation: Mutation]> = [
  [
    'W1',
    'the signal is not forwarded to the provider',
    {
      file: 'plugin/embedding/embedder.ts',
      from: 'deadline: this.budgetMs,\n      ...(signal === undefined ? {} : { signal }),',
      to: 'deadline: this.budgetMs, ...(signal === null ? {} : {}),',
    },
  ],
  [
    'W1',
    'the provider does not follow the signal',
    {
      file: 'embedding/control/ending.ts',
      from: 'if (signal !== undefined) this.#follow',
      to: 'if (signal === null) this.#follow',
    },
  ],
  [
    'W1',
    'the call ends and its request goes on',
    {
      file: 'embedding/wire/exchange.ts',
      from: "const abort = () => finish(failed('aborted', 'the call was aborted'), false)",
      to: "const abort = () => resolve(failed('aborted', 'the call was aborted'))",
    },
  ],
  [
    'W2',
    'a promise floats',
    { file: 'cli/reembed.ts', from: '    await store.catchUpJournal()', to: '    store.catchUpJournal()' },
  ],
  [
    'W3',
    'an empty fingerprint is found after the request',
    {
      file: 'embedding/settings.ts',
      from: "if (name === '') return failure('no_space', 'embed.fingerprint is empty; name the space or remove the setting')",
      to: '',
    },
  ],
  [
    'W3',
    'no dimension is taken for some dimension',
    {
      file: 'embedding/settings.ts',
      from: 'const { endpoint, dimension, timeoutMs',
      to: 'const { endpoint, dimension = 2, timeoutMs',
    },
  ],
  [
    'W4',
    'the length of a vector is not checked',
    {
      file: 'embedding/vector.ts',
      from: '  if (value.length !== dimension) return wrongDimension(value.length, dimension)\n',
      to: '',
    },
  ],
  [
    'W5',
    'an abort takes the memory with it',
    {
      file: 'plugin/memory.ts',
      from: 'const brought = await this.parts.embedder.document(draft.text, signal)',
      to: 'const brought = await this.parts.embedder.document(draft.text, signal); signal?.throwIfAborted()',
    },
  ],
  [
    'W6',
    'a commit needs an embedder',
    {
      file: 'plugin/embedding/embedder.ts',
      from: '    if (this.isOff) return {}\n    const result = await this.ask(canonicalText(text)',
      to: "    if (this.isOff) throw new Error('no embedder')\n    const result = await this.ask(canonicalText(text)",
    },
  ],
  [
    'W7',
    'the endpoint is not normalised',
    {
      file: 'embedding/fingerprint.ts',
      from: 'const endpoint = normaliseEndpoint(parts.endpoint)',
      to: 'const { endpoint } = parts',
    },
  ],
  [
    'W7',
    'a centroid spells its space in its own way',
    {
      file: 'readmodels/vectors/centroid.ts',
      from: ').run(fingerprint, mean.length, count,',
      to: ').run(fingerprint.toUpperCase(), mean.length, count,',
    },
  ],
  [
    'W8',
    'a cone of ±35° is not centred',
    { file: 'readmodels/vectors/settings.ts', from: 'norm: 0.6,', to: 'norm: 0.95,' },
  ],
  [
    'W8',
    'too few vectors are centred',
    { file: 'readmodels/vectors/settings.ts', from: 'vectors: 20,', to: 'vectors: 2,' },
  ],
  [
    'W8',
    'a centroid is never built again',
    {
      file: 'readmodels/vectors/centroid.ts',
      from: 'return built.stale !== 0 || built.dim !== dimension || built.count !== checkpoint(count)',
      to: 'return built.dim !== dimension',
    },
  ],
  [
    'W8',
    'spaces share their sum',
    {
      file: 'readmodels/vectors/mean.ts',
      from: "'SELECT count, sum FROM vector_sums WHERE space = ? AND",
      to: "'SELECT count, sum FROM vector_sums WHERE ? > 0 AND",
    },
  ],
  [
    'law 1',
    'answers are compared by the centroid that was built last',
    {
      file: 'readmodels/vectors/centroid.ts',
      from: '  return currentMean(db, known.space, dimension)',
      to: '  const built = readCentroid(db, fingerprint); return built && { count: built.count, norm: built.stats.norm, vector: Float64Array.from(built.vector) }',
    },
  ],
  [
    'law 1',
    'sums are not exact',
    {
      file: 'readmodels/vectors/mean.ts',
      from: 'times * Math.round(((values[at] ?? 0) / length) * STEPS)',
      to: 'times * ((values[at] ?? 0) / length) * STEPS',
    },
  ],
]

describe('the obligations of the write path', () => {
  it('are kept by src as it is', async () => {
    expect(await checked(undefined, 'obligations.ts', 'all')).toEqual({})
  }, 300_000)

  it.each(MUTATIONS)(
    '%s is broken where %s',
    async (obligation, _, mutation) => {
      expect(Object.keys(await checked(mutation, 'obligations.ts', obligation))).toEqual([obligation])
    },
    300_000,
  )
})
