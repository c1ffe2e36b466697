/** What becomes of documents when logs are large, unmounted, or read under other rules. */
import { renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { ArchiveEvent } from '../../../src/events/index.ts'
import { SaidSoFar } from '../../../src/readmodels/worker/said-so-far.ts'
import { Store } from '../../../src/readmodels/worker/store.ts'
import { NS_A } from '../../support/events.ts'
import {
  archiveOf,
  assistantMessage,
  type HostEvent,
  makeTurn,
  type TurnPlan,
  userMessage,
} from '../../support/turns.ts'
import { dump } from '../projector/folding.ts'
import { closeStores, newHome, store } from '../worker/stores.ts'
import { type LogEntry, ours, writeLog } from './logs.ts'

afterEach(closeStores)

const plan = (words: string): TurnPlan => ({
  prompt: [words],
  steps: [{ steering: [], text: 'noted', calls: [], reversed: false, chunks: 0 }],
  injected: false,
  compaction: false,
})

it('a folder of logs that is not there for a while costs no document', async () => {
  const home = newHome()
  const turn = makeTurn(plan('the staging port is 8443'), 1)
  const event = archiveOf(turn, 1, 's1')
  writeLog(home, 's1', [...turn.events, ours('archive', event)])
  const one = store(home)
  await one.catchUp([home.sessions])
  renameSync(home.sessions, `${home.sessions}-unmounted`)
  await one.catchUp([home.sessions])
  expect(one.document({ doc: event.doc })?.state).toBe('held')
})

it('other rules of redaction have every log read anew, and the new rules hold for a command without settings', async () => {
  const home = newHome()
  const turn = makeTurn(plan('the codename is BLUEBIRD-77'), 1)
  const event = archiveOf(turn, 1, 's1')
  writeLog(home, 's1', [...turn.events, ours('archive', event)])
  const text = (one: Store) => JSON.stringify(one.document({ doc: event.doc })?.pages)
  const before = store(home)
  await before.catchUp([home.sessions])
  expect(text(before)).toContain('BLUEBIRD-77')
  before.close()

  const patterns = [{ name: 'codename', pattern: 'BLUEBIRD-\\d+' }]
  const after = new Store({ ...home, redaction: { enabled: true, patterns } })
  await after.catchUp([home.sessions])
  expect(text(after)).not.toContain('BLUEBIRD-77')
  expect(text(after)).toContain('the codename is')
  const rebuilt = store(home, { path: ':memory:', keepJournal: true })
  await rebuilt.catchUp([home.sessions])
  expect(dump(rebuilt.database)).toBe(dump(after.database))
  after.close()
  // What nobody can use is as if it were not there.
  writeFileSync(
    join(dirname(home.journal), 'redaction.json'),
    '{"configurations": [{"patterns": [{"name": "x", "pattern": "("}]}]}',
  )
  const careful = store(home, { path: ':memory:', keepJournal: true })
  await careful.catchUp([home.sessions])
  expect(text(careful)).toContain('BLUEBIRD-77')
})

it('a turn that is larger than what is kept while reading is read a second time', async () => {
  const home = newHome()
  const turns = Array.from({ length: 12 }, (_, at) => {
    const n = at + 1
    const question = userMessage(`q${n}`, `question ${n} about kiwi${n}`)
    const events: HostEvent[] = [question, assistantMessage(`a${n}`, `${'x'.repeat(3_000_000)} end${n}`, n, 0)]
    return { events, messages: [`q${n}`, `a${n}`], calls: [], pages: [] }
  })
  const events = turns.map((turn, at): ArchiveEvent => archiveOf(turn, at + 1, 's1'))
  // All of them are archived at once, long after they were said: more than fits.
  const entries: LogEntry[] = [...turns.flatMap(turn => turn.events), ...events.map(event => ours('archive', event))]
  writeLog(home, 's1', entries)
  const one = store(home)
  await one.catchUp([home.sessions])
  expect(one.stats().documents).toMatchObject({ all: 12, waiting: 0, withdrawn: 0 })
  const answer = one.recall({ query: 'kiwi3', scope: 'namespace', namespace: NS_A.id, topK: 5, pages: { topK: 3 } })
  expect(answer.pages[0]?.doc).toBe(events[2]?.doc)
  const [, long] = answer.pages[0]?.parts ?? []
  expect(long?.text).toMatch(/\[\d+ more characters are in the session log\]$/)
}, 120_000)

it('what is kept while reading is bounded', () => {
  const said = new SaidSoFar()
  const record = (id: string) =>
    ({ kind: 'message', id, role: 'user', text: 'x'.repeat(1_000_000), step: null, seq: 0, time: 0 }) as const
  for (let n = 0; n < 100; n++) said.onSaid(record(`m${n}`))
  const all = { messages: new Set(Array.from({ length: 100 }, (_, n) => `m${n}`)), calls: new Set<string>() }
  expect(said.of(all).length).toBeLessThanOrEqual(32)
  expect(said.of(all).at(-1)?.id).toBe('m99')
})
