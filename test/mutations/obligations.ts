/**
 * Run by `obligations.test.ts` beside a copy of `src`: prints, as one JSON line, which of the obligations W1 to W8 of the
 * write path that copy does not keep, and how it shows.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type EmbedSettings, embeddingProvider } from '../../src/embedding/index.ts'
import type { StoredEvent } from '../../src/events/index.ts'
import { Embedder } from '../../src/plugin/embedding/embedder.ts'
import * as hologram from '../../src/plugin/index.ts'
import { dueCentroids, nearest } from '../../src/readmodels/vectors/index.ts'
import { Store } from '../../src/readmodels/worker/store.ts'
import { commit, NS_A, vectorData } from '../support/events.ts'
import { bootHost } from '../support/host.ts'
import { tempDir } from '../support/temp.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TEXT = 'the gateway port is 8443'

interface Service {
  readonly endpoint: string
  /** Connections so far, and those that their caller ended. */
  connections: number
  ended: number
}

const servers: Array<() => void> = []

/** An embedding service on this machine; without an answer it is silent. */
async function service(answer?: (response: ServerResponse, request: IncomingMessage) => void): Promise<Service> {
  const made = { endpoint: '', connections: 0, ended: 0 }
  const server = createServer((request, response) => {
    request.resume()
    answer?.(response, request)
  })
  server.on('connection', socket => {
    made.connections += 1
    socket.on('error', () => undefined)
    socket.on('close', () => {
      made.ended += 1
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  servers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  made.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/embed`
  return made
}

const vector =
  (...embedding: readonly number[]) =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ embedding }))
  }

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Runs with a provider of these settings, which is closed afterwards. */
async function withProvider<T>(
  settings: EmbedSettings,
  run: (provider: ReturnType<typeof embeddingProvider>) => Promise<T>,
): Promise<T> {
  const provider = embeddingProvider(settings)
  try {
    return await run(provider)
  } finally {
    await provider.close()
  }
}

/** The caller's signal reaches the request: the call ends at once, and so does what runs behind it. */
async function signalReachesTheRequest(): Promise<void> {
  const silent = await service()
  await withProvider({ endpoint: silent.endpoint, dimension: 2, timeoutMs: 5_000 }, async provider => {
    const abort = new AbortController()
    const brought = new Embedder(provider, 4_000).document(TEXT, abort.signal)
    while (silent.connections === 0) await pause(5)
    const began = performance.now()
    abort.abort()
    assert.deepEqual(await brought, { noVector: 'aborted' })
    assert.ok(performance.now() - began < 1_000)
    await pause(200)
    assert.equal(silent.ended, 1)
  })
}

/** No promise floats, by the linter's word. */
function noPromiseFloats(): void {
  const args = [
    'lint',
    '--only=nursery/noFloatingPromises',
    '--vcs-enabled=false',
    'src/cli',
    'src/plugin',
    'src/readmodels/vectors',
  ]
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/@biomejs/biome/bin/biome'), ...args],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  )
  assert.equal(status, 0, `${stdout}${stderr}`)
}

/** A space without a name is found before anything is sent. */
async function unnamedSpaceSendsNothing(): Promise<void> {
  const listening = await service(vector(1, 0))
  const { endpoint } = listening
  for (const settings of [{ endpoint }, { endpoint, dimension: 2, fingerprint: ' ' }]) {
    await withProvider(settings, async provider => {
      const embedder = new Embedder(provider, 1_000)
      assert.deepEqual(await embedder.document(TEXT), { noVector: 'no_space' })
      assert.deepEqual(await embedder.question(TEXT, {}), { degraded: 'no_embedder: no_space' })
    })
  }
  assert.equal(listening.connections, 0)
}

/** A vector of another length is a failure; nothing is cut or filled up. */
async function lengthIsChecked(): Promise<void> {
  for (const values of [[1, 0, 0], [1]]) {
    const { endpoint } = await service(vector(...values))
    await withProvider({ endpoint, dimension: 2 }, async provider => {
      assert.deepEqual(await new Embedder(provider, 2_000).document(TEXT), { noVector: 'wrong_dimension' })
    })
  }
}

/** What an aborted commit decided is written; without an embedder a commit has the same shape and is found at once. */
async function commitsAreKept(): Promise<void> {
  const silent = await service()
  const host = await bootHost({ home: tempDir() })
  try {
    await host.mount(hologram, { embed: { endpoint: silent.endpoint, dimension: 2, budgetMs: 5_000 } })
    const { session } = await host.createAgent({ sessionId: 's1', cwd: host.home })
    const { memory } = host.ctx.stablemem as unknown as { memory: import('../../src/plugin/memory.ts').Memory }
    const abort = new AbortController()
    const committing = memory.commit({ text: TEXT }, { session, origin: 'tool', signal: abort.signal })
    while (silent.connections === 0) await pause(5)
    abort.abort()
    await committing.catch(() => undefined)
    const said = session.events.filter(({ type }) => String(type) === 'hologram/commit')
    assert.deepEqual(
      said.map(({ data }) => (data as { noVector?: string }).noVector),
      ['aborted'],
    )
  } finally {
    await host.stop()
  }
}

async function noEmbedderIsNoMatter(): Promise<void> {
  const host = await bootHost({ home: tempDir() })
  try {
    await host.mount(hologram, {})
    const { session } = await host.createAgent({ sessionId: 's1', cwd: host.home })
    const made = await host.ctx.stablemem.commit({ text: TEXT }, { session })
    assert.deepEqual(Object.keys(made).sort(), ['created', 'id'])
    assert.equal(made.created, true)
    const { hits } = await host.ctx.stablemem.recall('which port?', { session })
    assert.deepEqual(
      hits.map(({ id }) => id),
      [made.id],
    )
  } finally {
    await host.stop()
  }
}

const store = new Store({ path: ':memory:', journal: '', keepJournal: true })

function filled(events: readonly StoredEvent[]): Store {
  store.clear()
  store.fold(events)
  return store
}

const DEGREE = Math.PI / 180

/** Vectors within 35° of the first axis. */
function inCone(count: number, space: string, from = 1): StoredEvent[] {
  return Array.from({ length: count }, (_, n) => {
    const off = 35 * DEGREE * Math.sqrt((n + 0.5) / count)
    const values = [Math.cos(off), Math.sin(off) * Math.cos(2.4 * n), Math.sin(off) * Math.sin(2.4 * n)]
    return commit(from + n, `${space} ${from + n}`, { vector: { space, data: vectorData(...values) } })
  })
}

/** One maker of fingerprints; spaces of blocks and keys of centroids are the same strings. */
async function oneFingerprint(): Promise<void> {
  const spaces = ['HTTP://Host.Example:80/embed/', ' http://host.example/embed'].map(endpoint => {
    const provider = embeddingProvider({ endpoint, dimension: 3, model: 'm' })
    void provider.close()
    return provider.space?.fingerprint ?? ''
  })
  assert.equal(spaces[0], spaces[1])
  const other = embeddingProvider({ endpoint: 'http://host.example/other', dimension: 3, model: 'm' })
  void other.close()
  const names = [spaces[0] ?? '', other.space?.fingerprint ?? '']
  const { database } = filled(names.flatMap((name, n) => inCone(5, name, 100 * n + 1)))
  await store.tend()
  const read = (sql: string) => database.prepare<[], string>(sql).pluck().all()
  const ofBlocks = read(
    'SELECT DISTINCT fingerprint FROM vectors JOIN vector_spaces USING (space) ORDER BY fingerprint',
  )
  assert.deepEqual(ofBlocks, names.toSorted())
  assert.deepEqual(read('SELECT fingerprint FROM graph_centroid ORDER BY fingerprint'), ofBlocks)
}

function cosines(
  namespace: string,
  question: readonly number[],
  space = 'f',
): Array<readonly [id: string, cosine: number]> {
  const ns = Number(store.database.prepare('SELECT ns FROM namespaces WHERE id = ?').pluck().get(namespace))
  const { hits } = nearest(store.database, { namespaces: [ns], space, vector: Float32Array.from(question), k: 100 })
  return hits.map(({ id, cosine }) => [id, cosine] as const)
}

/** A centroid is built when due, for each space alone, and applies by its rule: norm .6, twenty vectors. */
async function centroidsApply(): Promise<void> {
  const far = () => cosines(NS_A.id, [1, 0.12, 0]).at(-1)?.[1] ?? 1
  const built = () => store.database.prepare('SELECT fingerprint, vector_count FROM graph_centroid').raw().all()
  filled([...inCone(40, 'f'), ...inCone(3, 'g', 100)])
  await store.tend()
  assert.deepEqual(built(), [
    ['f', 40],
    ['g', 3],
  ])
  assert.deepEqual(dueCentroids(store.database), [])
  // By the plain cosine all of the cone is near; centred, its far side is opposite.
  assert.ok(far() < -0.7)
  store.fold(inCone(9, 'f', 200))
  await store.tend()
  assert.deepEqual(built()[0], ['f', 49])
  filled(inCone(19, 'f'))
  assert.ok(far() > 0.7)
}

/** What is near follows from the vectors, not from when a centroid was built or in which order they came. */
async function nearFollowsFromVectors(): Promise<void> {
  const events = inCone(60, 'f')
  const question = [1, 0.2, 0.1]
  filled(events.slice(0, 30))
  await store.tend()
  store.fold(events.slice(30))
  const live = cosines(NS_A.id, question)
  filled(events.toReversed())
  assert.deepEqual(cosines(NS_A.id, question), live)
}

const obligations: Readonly<Record<string, () => void | Promise<void>>> = {
  W1: signalReachesTheRequest,
  W2: noPromiseFloats,
  W3: unnamedSpaceSendsNothing,
  W4: lengthIsChecked,
  W5: commitsAreKept,
  W6: noEmbedderIsNoMatter,
  W7: oneFingerprint,
  W8: centroidsApply,
  'law 1': nearFollowsFromVectors,
}

const [, , only = ''] = process.argv
const broken: Record<string, string> = {}
for (const [name, check] of Object.entries(obligations)) {
  if (only !== 'all' && name !== only) continue
  try {
    await check()
  } catch (error) {
    broken[name] = String(error).slice(0, 300)
  }
}
store.close()
for (const close of servers) close()
console.log(JSON.stringify(broken))
