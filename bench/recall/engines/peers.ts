/** Packages that do the same, from `bench/recall/peers` (installed by hand; nothing of ours depends on them). */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { analyseText } from '../../../src/readmodels/analyse/index.ts'
import type { EngineMaker } from './engine.ts'

const PEERS = new URL('../peers/', import.meta.url)

/** Typed here and resolved at run time, so that this compiles where the peers are not installed. */
async function load<T>(name: string): Promise<T> {
  const resolved = createRequire(new URL('package.json', PEERS)).resolve(name)
  return (await import(pathToFileURL(resolved).href)) as T
}

interface MiniSearchLike {
  addAll(documents: readonly object[]): void
  add(document: object): void
  search(query: string): readonly { id: number }[]
}
type MiniSearchModule = { readonly default: new (options: object) => MiniSearchLike }

/** Its own tokenizer; for Chinese, which it does not cut, our pairs of characters. */
export const miniSearch: EngineMaker = async ({ language }) => {
  const loaded = await load<MiniSearchModule | MiniSearchModule['default']>('minisearch')
  const MiniSearch = 'default' in loaded ? loaded.default : loaded
  const pairs = (text: string): string[] => [...analyseText(text).terms.keys()].filter(token => token.length > 1)
  const index = new MiniSearch({ fields: ['text'], ...(language === 'zh' && { tokenize: pairs }) })
  let rows = 0
  return {
    fill: texts => index.addAll(texts.map(text => ({ id: rows++, text }))),
    addOne: text => index.add({ id: rows++, text }),
    ask: question =>
      index
        .search(question)
        .slice(0, 10)
        .map(hit => hit.id),
    close: () => {},
  }
}

interface Holographic {
  search(body: object, request: object): Promise<{ results: readonly { id: string }[] }>
  remember(body: object, request: object): Promise<unknown>
}

/**
 * dsh-mnemon's holographic provider by its own class. It reads and writes its whole store with every call, so the store is
 * written at once in its own form instead of being filled call by call (which is quadratic); `addOne` is its own `remember`.
 */
export const holographic: EngineMaker = async ({ folder }) => {
  const { HolographicProvider } = await load<{ HolographicProvider: new (spaces: object) => Holographic }>(
    'dsh-mnemon-provider-holographic',
  )
  const dataPath = join(folder, 'holographic', 'store.json')
  const provider = new HolographicProvider({
    runner: { effectiveDataDir: () => folder },
    providerConnection: () => ({ dataPath, defaultTrust: 0.5, minTrust: 0.3 }),
  })
  const body = { id: 'bench', provider: { id: 'holographic' } }
  return {
    fill(texts) {
      const now = new Date(0).toISOString()
      const facts = texts.map((content, i) => ({
        id: `holo-${i}`,
        content,
        category: 'general',
        tags: [],
        entities: [],
        trustScore: 0.5,
        createdAt: now,
        updatedAt: now,
      }))
      mkdirSync(join(folder, 'holographic'), { recursive: true })
      writeFileSync(dataPath, JSON.stringify({ version: 1, facts }, null, 2))
    },
    async addOne(text) {
      await provider.remember(body, { content: text })
    },
    async ask(question) {
      const { results } = await provider.search(body, { query: question, limit: 10 })
      return results.map(hit => Number(hit.id.slice('holo-'.length)))
    },
    close: () => {},
  }
}
