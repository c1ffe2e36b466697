/** A session that was there before us is handed over in pieces that do not hold the host's thread. */
import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../src/events/index.ts'
import { Recorder } from '../../src/plugin/recorder.ts'
import { commit } from '../support/events.ts'

interface Handed {
  readonly turn: number
  readonly events: readonly StoredEvent[]
}

/** Adopts a session of these events, and says what was handed over in which turn of the event loop. */
async function adopt(events: readonly StoredEvent[], fold = async () => ({ acks: [], clock: 7 })): Promise<Handed[]> {
  const handed: Handed[] = []
  const warnings: string[] = []
  let turn = 0
  let over = false
  const tick = () => {
    turn += 1
    if (!over) setImmediate(tick)
  }
  tick()
  const ctx = { on: () => undefined, logger: { warn: (text: string) => warnings.push(text) } }
  const model = {
    fold(taken: readonly StoredEvent[]) {
      handed.push({ turn, events: taken })
      return fold()
    },
  }
  const recorder = new Recorder(ctx as never, { model } as never)
  await recorder.adopt({ id: 's', events } as never)
  over = true
  if (warnings.length > 0) throw new Error(warnings.join())
  return handed
}

const foreign: StoredEvent = { type: 'user/message', data: { text: 'x'.repeat(2_000_000) }, seq: 0 }

describe('adopting a session', () => {
  it('hands over all of ours and nothing else, in order, some at a time, one piece a turn of the loop', async () => {
    const ours = Array.from({ length: 1_001 }, (_, n) => ({ ...commit(n + 1, `fact ${n}`), seq: n }))
    const handed = await adopt(ours.flatMap(event => [foreign, event]))
    expect(handed.flatMap(({ events }) => events)).toEqual(ours)
    expect(handed.length).toBeGreaterThan(4)
    for (const { events } of handed) expect(events.length).toBeLessThanOrEqual(200)
    expect(new Set(handed.map(({ turn }) => turn)).size).toBe(handed.length)
  })

  it('large ones one by one', async () => {
    const large = 'x'.repeat(1_100_000)
    const vector = { space: 's', data: large }
    const ours = [commit(1, large), commit(2, 'small'), commit(3, 'vector', { vector }), commit(4, large)]
    const handed = await adopt(ours)
    expect(handed.map(({ events }) => events.length)).toEqual([1, 2, 1])
  })

  it('without any of ours nothing is handed over; and a session that cannot be read is told, never thrown', async () => {
    expect(await adopt([foreign])).toEqual([])
    const broken = adopt([null] as never)
    await expect(broken).rejects.toThrow('a session could not be read')
  })
})
