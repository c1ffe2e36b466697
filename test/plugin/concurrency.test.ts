import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { blockId } from '../../src/events/index.ts'
import { readStoredEvents } from '../support/logs.ts'
import { agentIn, oursIn, rig } from './rig.ts'

const texts = Array.from({ length: 100 }, (_, n) => `machine m${n}x has serial number SN-${7_000 + n}`)

it('a hundred commits at once, in two sessions and in none, all come back, and are in log, journal and database', async () => {
  const { host, memory } = await rig()
  const [a, b] = [await agentIn(host), await agentIn(host)]
  const places = [{ session: a.session }, { session: b.session }, {}]
  const committed = await Promise.all(texts.map((text, n) => memory.commit({ text }, places[n % 3])))
  expect(committed).toEqual(texts.map(text => ({ id: blockId(text), created: true })))

  const asked = await Promise.all(
    texts.map((_, n) => memory.recall(`SN-${7_000 + n}`, { scope: 'all', topK: 1, session: a.session })),
  )
  expect(asked.map(({ hits }) => hits[0]?.text)).toEqual(texts)
  expect(asked.every(({ hits }) => hits[0]?.exact)).toBe(true)
  const stats = await memory.stats()
  expect(stats).toMatchObject({ blocks: 100, events: 100, skipped: {}, degraded: [] })

  const journal = readdirSync(stats.journal).map(name => readFileSync(join(stats.journal, name), 'utf8'))
  for (const text of texts) expect(journal.join('').split(text)).toHaveLength(2)
  await host.stop()
  for (const [session, part] of [
    [a.session, 0],
    [b.session, 1],
  ] as const) {
    const stored = oursIn(await readStoredEvents(host.sessionsRoot, session.id), 'commit').map(({ text }) => text)
    expect(stored).toEqual(texts.filter((_, n) => n % 3 === part))
  }
})

it('the same text committed a hundred times at once is one memory, created once, said a hundred times', async () => {
  const { host, memory } = await rig()
  const { session } = await agentIn(host)
  const text = 'the lift is out of order'
  const committed = await Promise.all(texts.map(() => memory.commit({ text }, { session })))
  expect(committed.filter(({ created }) => created)).toHaveLength(1)
  const { hits } = await memory.recall('lift', { session })
  expect(hits).toMatchObject([{ text, places: 100 }])
  expect(hits[0]?.said).toHaveLength(20)
})
