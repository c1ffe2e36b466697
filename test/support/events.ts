/**
 * Valid events: builders with everything settled but what a test cares about, and fast-check arbitraries over a world
 * small enough that ids, clocks, texts, sessions and namespaces collide all the time.
 */
import fc from 'fast-check'
import {
  type ArchiveEvent,
  blockId,
  type CommitEvent,
  type DistillEvent,
  documentId,
  type EmbedEvent,
  type Frame,
  type LinkEvent,
  type MergeEvent,
  type Namespace,
  ORIGINS,
  type PurgeEvent,
  type RecallEvent,
  type SpaceEvent,
  type StoredEvent,
  type UnlinkEvent,
  VERBS,
  type Verb,
} from '../../src/events/index.ts'

/**
 * How often a property is tried: as often as `PROPERTY_RUNS` says, where it is set. In CI the seed is printed, under the
 * test it belongs to; `PROPERTY_SEED` plays one again.
 */
export function runs(usually: number): { readonly numRuns: number; readonly seed: number } {
  const { CI, PROPERTY_RUNS = usually, PROPERTY_SEED = Math.trunc(Math.random() * 2 ** 31) } = process.env
  const settings = { numRuns: Number(PROPERTY_RUNS), seed: Number(PROPERTY_SEED) }
  if (CI !== undefined) console.log(`seed ${settings.seed}, ${settings.numRuns} runs`)
  return settings
}

/** A valid event id that sorts as its number does. */
export function eventId(n: number): string {
  return `evt_${String(n).padStart(26, '0')}`
}

export const NS_A: Namespace = { id: `ns_${'a'.repeat(24)}`, label: 'alpha' }
export const NS_B: Namespace = { id: `ns_${'b'.repeat(24)}`, label: 'beta' }

const TIME = 1_700_000_000_000

/** `n` is the number of the event's id, and its clock unless that is given. */
export function commit(n: number, text: string, over: Partial<CommitEvent> = {}): StoredEvent {
  const data: CommitEvent = {
    v: 1,
    id: eventId(n),
    clock: n,
    ns: NS_A,
    at: { session: 's1', time: TIME + n },
    text,
    origin: 'tool',
    ...over,
  }
  return { type: 'hologram/commit', data }
}

export function recalled(n: number, texts: readonly string[], over: Partial<RecallEvent> = {}): StoredEvent {
  const data: RecallEvent = {
    v: 1,
    id: eventId(n),
    clock: n,
    ns: NS_A,
    at: { session: 's1', time: TIME + n },
    mode: 'tool',
    query: { hash: 'h', chars: 3, symbols: [] },
    hits: texts.map(text => ({ block: blockId(text), score: 0.5, exact: false, why: 'shares words' })),
    outcome: 'hits',
    degraded: [],
    ...over,
  }
  return { type: 'hologram/recall', data }
}

export function space(n: number, over: Partial<SpaceEvent> = {}): StoredEvent {
  const data: SpaceEvent = {
    v: 1,
    id: eventId(n),
    clock: n,
    ns: NS_A,
    at: { session: 's1', time: TIME + n },
    fingerprint: 'f',
    dimension: 3,
    provider: 'p',
    model: 'm',
    ...over,
  }
  return { type: 'hologram/space', data }
}

/** A vector as events carry it: base64 of float32, little-endian. */
export function vectorData(...values: readonly number[]): string {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, at) => {
    bytes.writeFloatLE(value, 4 * at)
  })
  return bytes.toString('base64')
}

/** A late vector of the block with a text. */
export function embedded(
  n: number,
  text: string,
  values: readonly number[],
  over: Partial<EmbedEvent> = {},
): StoredEvent {
  const data: EmbedEvent = {
    v: 1,
    id: eventId(n),
    clock: n,
    ns: NS_A,
    at: { session: 's1', time: TIME + n },
    target: { kind: 'block', id: blockId(text) },
    space: { fingerprint: 'f', dimension: values.length, provider: 'p', model: 'm' },
    data: vectorData(...values),
    ...over,
  }
  return { type: 'hologram/embed', data }
}

export function purged(n: number, ids: readonly string[], over: Partial<PurgeEvent> = {}): StoredEvent {
  const data: PurgeEvent = {
    v: 1,
    id: eventId(n),
    clock: n,
    ns: NS_A,
    at: { session: 's1', time: TIME + n },
    ids: [...ids],
    reason: 'asked to',
    origin: 'tool',
    ...over,
  }
  return { type: 'hologram/purge', data }
}

/** Events that bear our name and cannot be used, by the reason they are skipped for. */
export const BAD_EVENTS = {
  malformed: { type: 'hologram/commit', data: { v: 1, text: 'no envelope' } },
  newer_version: { type: 'hologram/commit', data: { v: 99, id: eventId(9_001) } },
  unknown_verb: { type: 'hologram/dream', data: { v: 1, id: eventId(9_002) } },
} as const satisfies Readonly<Record<string, StoredEvent>>

/** Wordings: several of one block, several facts of one subject, symbols, scripts, and what stores trip over. */
export const TEXTS = [
  'the staging port is 8080',
  '  the staging   port is 8080\n',
  'the\u3000staging port is 8080',
  'the staging port is 9090',
  'svc|port=8080',
  'svc|port=9090',
  'deploy with ERR_CONN_42 means the proxy is down',
  '测试环境的端口是 8080',
  '部署前先跑 make check',
  'café in São Paulo',
  'cafe\u0301 in São Paulo',
  'a \u0000 NUL and a lone \ud800 surrogate',
  'Mimi is the cat 😀',
  ' ',
] as const

export const arbNamespace: fc.Arbitrary<Namespace> = fc.record({
  id: fc.constantFrom(NS_A.id, NS_B.id),
  label: fc.constantFrom('alpha', 'beta', 'gamma'),
})

const field = fc.option(fc.constantFrom('', 'left', 'right', 'a/b'), { nil: undefined, freq: 2 })

export const arbFrame: fc.Arbitrary<Frame> = fc.record(
  {
    ts: fc.integer({ min: TIME, max: TIME + 5 }),
    pageSeq: fc.nat({ max: 3 }),
    pageKind: fc.constantFrom('', 'turn'),
    role: fc.constantFrom('user', 'assistant'),
    callId: fc.constantFrom('c1', 'c2'),
    speaker: fc.constantFrom('Ann', 'Bob'),
    conversation: fc.constantFrom('talk1', 'talk2'),
  },
  { requiredKeys: [] },
)

/** Wall clocks are at odds with the order of events: whoever goes by them is found out. */
const arbPlace = fc.record(
  {
    session: fc.constantFrom('s1', 's2', 's3'),
    turn: fc.nat({ max: 3 }),
    step: fc.nat({ max: 2 }),
    time: fc.integer({ min: TIME, max: TIME + 1_000 }),
  },
  { requiredKeys: ['time'] },
)

const arbClock = fc.integer({ min: 1, max: 6 })
/** Mostly the wordings of one block, so that commits of it meet in one list. */
export const arbText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...TEXTS.slice(0, 3)) },
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }) },
)

/** A payload before it has an id, and before JSON drops what is undefined. */
type Nameless<T> = { readonly [K in keyof Omit<T, 'id'>]: T[K] | undefined }
type Draft =
  | { readonly verb: 'commit'; readonly data: Nameless<CommitEvent> }
  | { readonly verb: 'embed'; readonly data: Nameless<EmbedEvent> }
  | { readonly verb: 'recall'; readonly data: Nameless<RecallEvent> }
  | { readonly verb: 'space'; readonly data: Nameless<SpaceEvent> }
  | { readonly verb: 'link'; readonly data: Nameless<LinkEvent> }
  | { readonly verb: 'unlink'; readonly data: Nameless<UnlinkEvent> }
  | { readonly verb: 'merge'; readonly data: Nameless<MergeEvent> }
  | { readonly verb: 'purge'; readonly data: Nameless<PurgeEvent> }
  | { readonly verb: 'archive'; readonly data: Nameless<ArchiveEvent> }
  | { readonly verb: 'distill'; readonly data: Nameless<DistillEvent> }

const envelope = { v: fc.constant(1 as const), clock: arbClock, ns: arbNamespace, at: arbPlace }

/** Few values, so that vectors are equal, zero and not finite often; and lengths that no space has. */
const arbNumbers = (length: number) =>
  fc.array(fc.constantFrom(1, 0, 0, -0.5, Number.NaN), { minLength: length, maxLength: length })
const arbVector = fc.record({
  space: fc.constantFrom('f1', 'f2'),
  data: fc.oneof(arbNumbers(3), arbNumbers(4), arbNumbers(0)).map(values => vectorData(...values)),
})

const arbCommit: fc.Arbitrary<Draft> = fc
  .record({
    ...envelope,
    text: arbText,
    source: field,
    tool: field,
    scene: field,
    semanticType: field,
    origin: fc.constantFrom(...ORIGINS),
    redacted: fc.option(fc.constantFrom<string[][]>(['api_key'], []), { nil: undefined, freq: 2 }),
    frame: fc.option(arbFrame, { nil: undefined, freq: 2 }),
    vector: fc.option(arbVector, { nil: undefined, freq: 1 }),
  })
  .map(data => ({ verb: 'commit', data }))

const arbEmbed: fc.Arbitrary<Draft> = fc
  .record({
    ...envelope,
    target: fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constantFrom(...TEXTS.slice(0, 4)).map(text => ({ kind: 'block' as const, id: blockId(text) })),
      },
      { weight: 1, arbitrary: fc.constant({ kind: 'document' as const, id: `doc_${'1'.repeat(24)}` }) },
    ),
    fingerprint: fc.constantFrom('f1', 'f2'),
    model: fc.constantFrom('m1', 'm2'),
    values: fc.oneof(arbNumbers(3), arbNumbers(4)),
  })
  .map(({ fingerprint, model, values, ...data }) => ({
    verb: 'embed',
    data: {
      ...data,
      space: { fingerprint, dimension: values.length, provider: 'p', model },
      data: vectorData(...values),
    },
  }))

const arbRecall: fc.Arbitrary<Draft> = fc
  .record({
    ...envelope,
    mode: fc.constantFrom('inject', 'tool', 'api'),
    query: fc.record({
      hash: fc.constantFrom('h1', 'h2'),
      chars: fc.nat({ max: 9 }),
      symbols: fc.constant<string[]>([]),
    }),
    hits: fc.array(
      fc.record({
        block: fc.constantFrom(...TEXTS).map(blockId),
        score: fc.double({ min: 0, max: 2, noNaN: true }),
        exact: fc.boolean(),
        why: fc.constantFrom('shares "port"', '因为'),
      }),
      { maxLength: 3 },
    ),
    pages: fc.option(
      fc.uniqueArray(
        fc.record({
          doc: fc.constantFrom(documentId('m1'), documentId('m2')),
          page: fc.constantFrom(0, 1),
          score: fc.constantFrom(0, 0.5),
          exact: fc.boolean(),
          why: fc.constantFrom('', 'shares "port"'),
        }),
        { maxLength: 3, selector: ({ doc, page }) => `${doc} ${page}` },
      ),
      { nil: undefined },
    ),
    message: fc.option(fc.constant('msg_1'), { nil: undefined }),
    outcome: fc.constant('hits'),
    degraded: fc.constant<string[]>([]),
  })
  .map(data => ({ verb: 'recall', data }))

const arbSpace: fc.Arbitrary<Draft> = fc
  .record({
    ...envelope,
    fingerprint: fc.constantFrom('f1', 'f2'),
    dimension: fc.constantFrom(3, 4),
    provider: fc.constant('p'),
    model: fc.constantFrom('m1', 'm2'),
  })
  .map(data => ({ verb: 'space', data }))

const arbDocument = fc.constantFrom(documentId('m1'), documentId('m2'))
const arbPage = fc.record({ doc: arbDocument, page: fc.constantFrom(0, 1) })

/** The blocks that edges, merges and purges are about: few, so that they meet; one is never committed. */
const arbBlock = fc.constantFrom(
  ...[TEXTS[0], TEXTS[0], TEXTS[3], TEXTS[4], TEXTS[6], 'said by nobody'].map(text => blockId(text)),
)
const origin = fc.constantFrom(...ORIGINS)
const everywhere = fc.option(fc.constant(true as const), { nil: undefined, freq: 3 })

const arbEdge = {
  ...envelope,
  sourceKind: fc.constant('block' as const),
  sourceId: arbBlock,
  target: fc.oneof(
    arbBlock.map(id => ({ targetKind: 'block' as const, targetId: id })),
    fc.constant({ targetKind: 'entity' as const, targetId: 'staging' }),
  ),
  type: fc.constantFrom('supersedes', 'mentions', 'near'),
  origin,
}

const arbLink: fc.Arbitrary<Draft> = fc
  .record({ ...arbEdge, confidence: fc.option(fc.constantFrom(0, 0.5, 1), { nil: undefined }) })
  .map(({ target, ...data }) => ({ verb: 'link', data: { ...data, ...target } }))

const arbUnlink: fc.Arbitrary<Draft> = fc
  .record(arbEdge)
  .map(({ target, ...data }) => ({ verb: 'unlink', data: { ...data, ...target } }))

const arbMerge: fc.Arbitrary<Draft> = fc
  .record({ ...envelope, keep: arbBlock, drop: arbBlock, everywhere, origin })
  .map(data => ({ verb: 'merge', data }))

const arbPurge: fc.Arbitrary<Draft> = fc
  .record({
    ...envelope,
    ids: fc.array(arbBlock, { minLength: 1, maxLength: 2 }),
    pages: fc.option(fc.array(arbPage, { maxLength: 2 }), { nil: undefined, freq: 2 }),
    everywhere,
    reason: fc.constantFrom('', 'asked to'),
    origin,
  })
  .map(data => ({ verb: 'purge', data }))

const arbArchive: fc.Arbitrary<Draft> = fc
  .record({
    ...envelope,
    doc: arbDocument,
    title: fc.constantFrom('', 'the port', '端口'),
    tags: fc.constantFrom<string[]>([], ['bash']),
    named: fc.option(fc.constant(true as const), { nil: undefined }),
    messages: fc.constantFrom<string[]>(['m1'], ['m1', 'm2'], ['m1', 'm2', 'm3']),
    calls: fc.constantFrom<string[]>([], ['c1']),
    ended: fc.constantFrom('stopping', 'aborted'),
    origin,
  })
  .map(data => ({ verb: 'archive', data }))

const arbDistill: fc.Arbitrary<Draft> = fc
  .record({
    ...envelope,
    doc: arbDocument,
    blocks: fc.array(arbBlock, { maxLength: 2 }),
    by: fc.constantFrom('rules' as const, 'model' as const),
  })
  .map(data => ({ verb: 'distill', data }))

const ARBITRARY: Readonly<Record<Verb, fc.WeightedArbitrary<Draft>>> = {
  commit: { weight: 8, arbitrary: arbCommit },
  embed: { weight: 3, arbitrary: arbEmbed },
  recall: { weight: 2, arbitrary: arbRecall },
  space: { weight: 1, arbitrary: arbSpace },
  link: { weight: 2, arbitrary: arbLink },
  unlink: { weight: 1, arbitrary: arbUnlink },
  merge: { weight: 1, arbitrary: arbMerge },
  purge: { weight: 1, arbitrary: arbPurge },
  archive: { weight: 2, arbitrary: arbArchive },
  distill: { weight: 1, arbitrary: arbDistill },
}

/** Valid events with ids of their own, as JSON would bring them back. Ids are in no relation to clocks or positions. */
export function arbEvents(maxLength = 20, verbs: readonly Verb[] = VERBS): fc.Arbitrary<StoredEvent[]> {
  return fc
    .uniqueArray(fc.tuple(fc.nat({ max: 9_999 }), fc.oneof(...verbs.map(verb => ARBITRARY[verb]))), {
      minLength: 1,
      maxLength,
      // without it lists stay at a handful, and nothing collides
      size: 'max',
      selector: ([n]) => n,
    })
    .map(all => all.map(([n, { verb, data }]) => stored(verb, { ...data, id: eventId(n) }, n)))
}

function stored(verb: string, data: object, seq: number): StoredEvent {
  return { type: `hologram/${verb}`, data: JSON.parse(JSON.stringify(data)), seq }
}

/** A list and the same list in another order, with some of its members once more. */
export function arbReordered<T>(
  items: fc.Arbitrary<T[]>,
): fc.Arbitrary<{ readonly items: T[]; readonly reordered: T[] }> {
  return items.chain(all =>
    fc
      .tuple(fc.shuffledSubarray(all, { minLength: all.length }), fc.subarray(all))
      .chain(([shuffled, again]) => {
        const doubled = [...shuffled, ...again]
        return fc.shuffledSubarray(doubled, { minLength: doubled.length })
      })
      .map(reordered => ({ items: all, reordered })),
  )
}

/** Cuts a list into pieces of arbitrary sizes. */
export function arbPieces<T>(items: readonly T[]): fc.Arbitrary<T[][]> {
  return fc
    .array(fc.integer({ min: 1, max: 5 }), { minLength: items.length, maxLength: items.length, size: 'max' })
    .map(sizes => {
      const pieces: T[][] = []
      let from = 0
      for (const size of sizes) {
        if (from >= items.length) break
        pieces.push(items.slice(from, from + size))
        from += size
      }
      return pieces
    })
}
