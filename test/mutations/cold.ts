/**
 * Run by `cold.test.ts` beside a copy of `src`: prints, as one JSON line, which rules of the cold layer that copy does not
 * keep, and how it shows.
 */
import assert from 'node:assert/strict'
import { decideArchive } from '../../src/commands/index.ts'
import { blockId, readSaid, type Said, type StoredEvent } from '../../src/events/index.ts'
import type { RecallAnswer } from '../../src/readmodels/index.ts'
import { Store } from '../../src/readmodels/worker/store.ts'
import { commit, NS_A, purged, recalled } from '../support/events.ts'
import { archiveOf, makeTurn, type Turn } from '../support/turns.ts'

const HOUR = 3_600_000
const AGE = 72 * HOUR
const START = 1_700_000_000_000
const TEXT = 'the staging port is 8443'

const store = new Store({ path: ':memory:', journal: '', keepJournal: true })

function turn(n: number, words: string, calls = 0, compaction = false): Turn {
  const called = Array.from({ length: calls }, (_, at) => ({
    tool: at === 0 ? 'stablemem_recall' : 'bash',
    args: `{"command":"ls ${at}"}`,
    result: `listing ${at}`,
    failed: false,
  }))
  const step = { steering: [], text: 'noted', calls: called, reversed: true, chunks: 0 }
  return makeTurn({ prompt: [words], steps: [step], injected: true, compaction }, n)
}

function saidIn({ events }: Turn): Said[] {
  return events.flatMap((event, seq) => readSaid({ ...event, seq }) ?? [])
}

/** Holds a turn as a document, archived so many hours after the start. Returns its id. */
function hold(n: number, one: Turn, hour = 0): string {
  const event = archiveOf(one, n, 's1', { at: { session: 's1', turn: n, time: START + hour * HOUR } })
  store.fold([{ type: 'hologram/archive', data: event }])
  store.supply([{ namespace: NS_A.id, doc: event.doc, session: 's1', said: saidIn(one) }])
  return event.doc
}

const ask = (query: string): RecallAnswer =>
  store.recall({ query, scope: 'namespace', namespace: NS_A.id, topK: 5, pages: { topK: 5 } })

const due = (hour: number) =>
  store.due({ age: AGE, accesses: 2, now: START + hour * HOUR, limit: 10 }).map(({ doc }) => doc)

/** A page that says what is forgotten, or that a purge names, is not shown. */
function withholds(): void {
  hold(1, turn(1, TEXT))
  assert.match(JSON.stringify(ask('staging port').pages), /8443/)
  store.fold([commit(50, TEXT), purged(51, [blockId(TEXT)])])
  assert.deepEqual(ask('staging port').pages, [])
}

function withholdsNamed(): void {
  const doc = hold(1, turn(1, `I think ${TEXT} and no other, or so`))
  assert.equal(ask('staging port').pages.length, 1)
  store.fold([purged(51, [blockId(TEXT)], { pages: [{ doc, page: 0 }] })])
  assert.deepEqual(ask('staging port').pages, [])
}

/** What our tools brought is not cited. */
function leavesOutOwn(): void {
  const settings = { minChars: 0, isOwnTool: (name: string) => name.startsWith('stablemem_') }
  const one = turn(1, 'look at the listing', 2)
  const draft = decideArchive({ said: saidIn(one), ended: 'stopping' }, 'archive', settings)
  assert.deepEqual(
    draft?.cited.filter(({ kind }) => kind !== 'message').map(({ id }) => id),
    [one.calls[1], one.calls[1]],
  )
}

/** Only what was added to the conversation was said: no summary of it, and nothing put before the model. */
function hearsWhatWasSaid(): void {
  const one = turn(1, 'look at the listing', 2, true)
  assert.deepEqual(
    saidIn(one).flatMap(({ kind, id }) => (kind === 'message' ? [id] : [])),
    one.messages,
  )
  const result = one.events.find(({ type }) => type === 'tool/result')
  const answer = one.events.find(({ type }) => type === 'assistant/message')
  for (const event of [result, answer]) {
    assert.notEqual(readSaid({ ...event, seq: 1 }), undefined)
    assert.equal(readSaid({ ...event, seq: 1, surfaceOp: { op: 'replace', start: 0, end: 1 } }), undefined)
  }
}

/** Every call is followed by its result, though results came in another order. */
function pairsCalls(): void {
  const one = turn(1, 'look at the listing', 3)
  const doc = hold(1, one)
  const shown = store
    .document({ doc })
    ?.pages.map(({ parts }) => parts.map(({ kind, text, callId }) => [kind, text, callId]))
  assert.deepEqual(shown, one.pages)
}

/** What is put before the model unasked keeps nothing warm; what is asked for on purpose does. */
function countsPurpose(): void {
  const doc = hold(1, turn(1, 'the kiwi is green'))
  hold(2, turn(2, 'the lime is green'), 24)
  hold(3, turn(3, 'the plum is blue'), 48)
  const asked = (n: number, mode: 'tool' | 'inject'): StoredEvent =>
    recalled(n, [], { mode, pages: [{ doc, page: 0, score: 1, exact: false, why: '' }] })
  store.fold([1, 2, 3, 4].map(n => asked(10 + n, 'inject')))
  assert.deepEqual(due(73), [doc])
  store.fold([1, 2, 3].map(n => asked(20 + n, 'tool')))
  assert.deepEqual(due(73), [])
}

/** A wall clock that jumps a year ahead cools nothing, whether something was archived by it or not. */
function clampsGaps(): void {
  hold(1, turn(1, 'the kiwi is green'))
  assert.deepEqual(due(365 * 24), [])
  hold(2, turn(2, 'the lime is green'), 365 * 24)
  assert.deepEqual(due(365 * 24 + 1), [])
}

const rules: Readonly<Record<string, () => void>> = {
  'withheld by its text': withholds,
  'withheld by name': withholdsNamed,
  'own recalls': leavesOutOwn,
  'what was said': hearsWhatWasSaid,
  'calls with results': pairsCalls,
  'asked on purpose': countsPurpose,
  'gaps are clamped': clampsGaps,
}

const broken: Record<string, string> = {}
for (const [name, check] of Object.entries(rules)) {
  store.clear()
  try {
    check()
  } catch (error) {
    broken[name] = String(error).slice(0, 300)
  }
}
store.close()
console.log(JSON.stringify(broken))
