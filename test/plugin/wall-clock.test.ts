/** Case 40: the machine's clock steps back, then far ahead, also between two runs of the harness; order is that of the log. */
import { afterEach, expect, it, vi } from 'vitest'
import { agentIn, rig } from './rig.ts'

afterEach(() => {
  vi.useRealTimers()
})

const START = Date.UTC(2026, 5, 1)
const HOUR = 3_600_000

function clockAt(time: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: time })
}

/** What is said in turn, and when by the wall. */
const STEPS = {
  back: [0, -HOUR, -2 * HOUR],
  'a year ahead': [0, 365 * 24 * HOUR, 365 * 24 * HOUR + 1],
  'a year ahead and back': [0, 365 * 24 * HOUR, HOUR],
  'to 1970 and back': [0, -START, HOUR],
} as const
const FACTS = ['svc|port=8080', 'svc|port=9090 (old 8080)', 'svc|port=9191']

it.each(Object.entries(STEPS))('a clock that goes %s decides nothing: the later value wins', async (_, steps) => {
  const made = await rig()
  const { session } = await agentIn(made.host)
  for (const [n, text] of FACTS.entries()) {
    clockAt(START + (steps[n] ?? 0))
    await made.memory.commit({ text }, { session })
  }
  const { hits, superseded } = await made.memory.recall('svc port', { session, history: true })
  expect(hits.map(({ text }) => text)).toEqual([FACTS[2]])
  expect(superseded.map(({ text, at }) => [text, at]).sort()).toEqual(
    [0, 1].map(n => [FACTS[n], START + (steps[n] ?? 0)]).sort(),
  )
})

it('nor does one that went back between two runs of the harness', async () => {
  clockAt(START)
  const first = await rig()
  const { session } = await agentIn(first.host)
  await first.memory.commit({ text: FACTS[0] ?? '' }, { session })
  await first.host.stop()
  clockAt(START - 24 * HOUR)
  const second = await rig({ home: first.host.home })
  const other = await agentIn(second.host)
  await second.memory.commit({ text: FACTS[1] ?? '' }, other)
  const resumed = await second.host.resumeAgent(session.id)
  await second.memory.commit({ text: FACTS[2] ?? '' }, resumed)
  const { hits, superseded } = await second.memory.recall('svc port', { session: other.session, history: true })
  expect(hits.map(({ text }) => text)).toEqual([FACTS[2]])
  expect(superseded).toHaveLength(2)
})
