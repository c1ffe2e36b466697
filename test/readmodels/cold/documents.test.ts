/** Turns become documents: whole, paired, the same from a live session and from its log, and gone with it. */
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { blockId, type StoredEvent } from '../../../src/events/index.ts'
import type { DocumentAnswer, PagePart } from '../../../src/readmodels/index.ts'
import type { Store } from '../../../src/readmodels/worker/store.ts'
import { commit, NS_A, purged, runs } from '../../support/events.ts'
import { arbTurn, archiveOf, makeTurn, type TurnPlan } from '../../support/turns.ts'
import { dump } from '../projector/folding.ts'
import { closeStores, type Home, newHome, store } from '../worker/stores.ts'
import { type LogEntry, materialOf, ours, writeLog } from './logs.ts'

afterEach(closeStores)

const stored = (verb: string, data: unknown): StoredEvent => ({ type: `hologram/${verb}`, data })
const read = (one: Store, doc: string): DocumentAnswer => {
  const found = one.document({ namespace: NS_A.id, doc })
  if (found === null) throw new Error(`no document ${doc}`)
  return found
}
const shown = ({ pages }: DocumentAnswer) =>
  pages.map(({ parts }) => parts.map(({ kind, text, callId }: PagePart) => [kind, text, callId]))

/** A store that read everything there is. */
async function readAll(home: Home, over = {}): Promise<Store> {
  const one = store(home, over)
  await one.catchUp([home.sessions])
  return one
}

const SIMPLE: TurnPlan = {
  prompt: ['the staging port is 8443'],
  steps: [{ steering: [], text: 'noted', calls: [], reversed: false, chunks: 0 }],
  injected: false,
  compaction: false,
}
const say = (words: string, answer = 'noted'): TurnPlan => ({
  ...SIMPLE,
  prompt: [words],
  steps: [{ steering: [], text: answer, calls: [], reversed: false, chunks: 0 }],
})

describe('turns of any structure', () => {
  it('become pages that hold what was said, each call with its result, live and from the log alike', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbTurn, { minLength: 1, maxLength: 4 }), async plans => {
        const home = newHome()
        const turns = plans.map((plan, at) => makeTurn(plan, at + 1))
        const events = turns.map((turn, at) => archiveOf(turn, at + 1, 's1'))
        const entries = turns.flatMap((turn, at): LogEntry[] => [...turn.events, ours('archive', events[at])])
        writeLog(home, 's1', entries)

        const live = store(home, { path: ':memory:', keepJournal: true })
        for (const event of events) {
          live.fold([stored('archive', event)])
          live.supply([materialOf(event, 's1', entries)])
        }
        for (const [at, event] of events.entries()) expect(shown(read(live, event.doc))).toEqual(turns[at]?.pages)
        const rebuilt = await readAll(home, { path: ':memory:', keepJournal: true })
        expect(dump(rebuilt.database)).toBe(dump(live.database))
        live.close()
        rebuilt.close()
      }),
      runs(60),
    )
  }, 300_000)

  it('are read a second time where the event that cites them stands in the journal only', async () => {
    const home = newHome()
    const turns = [makeTurn(SIMPLE, 1), makeTurn(say('负责人是王芳'), 2)]
    const events = turns.map((turn, at) => archiveOf(turn, at + 1, 's1'))
    writeLog(
      home,
      's1',
      turns.flatMap(({ events: all }) => all),
    )
    const one = store(home)
    one.fold(events.map(event => stored('archive', event)))
    await one.catchUp([home.sessions])
    for (const [at, event] of events.entries()) expect(shown(read(one, event.doc))).toEqual(turns[at]?.pages)
  })
})

describe('one document a turn', () => {
  it('forks do not double it, and it outlives the log it was archived in', async () => {
    const home = newHome()
    const turn = makeTurn(SIMPLE, 1)
    const event = archiveOf(turn, 1, 'parent')
    const entries = [...turn.events, ours('archive', event)]
    const parent = writeLog(home, 'parent', entries)
    const fork = writeLog(home, 'fork', [...entries, ...makeTurn(say('more'), 2).events])
    const one = await readAll(home)
    expect(one.stats().documents).toEqual({ all: 1, waiting: 0, withdrawn: 0, distilled: 0 })
    rmSync(dirname(parent), { recursive: true })
    await one.catchUp([home.sessions])
    expect(shown(read(one, event.doc))).toEqual(turn.pages)
    rmSync(dirname(fork), { recursive: true })
    await one.catchUp([home.sessions])
    expect(read(one, event.doc)).toMatchObject({ state: 'withdrawn', pages: [] })
    expect(one.stats().documents).toMatchObject({ all: 1, withdrawn: 1 })
    expect(one.recall({ ...ask('staging port 8443') }).pages).toEqual([])
  })

  it('a turn that goes on replaces what it was', async () => {
    const home = newHome()
    const plan: TurnPlan = {
      ...SIMPLE,
      steps: [
        ...SIMPLE.steps,
        { steering: ['and the region?'], text: 'eu-west', calls: [], reversed: false, chunks: 0 },
      ],
    }
    const whole = makeTurn(plan, 1)
    const short = { ...whole, messages: whole.messages.slice(0, 2) }
    const [first, second] = [archiveOf(short, 1, 's1'), archiveOf(whole, 2, 's1')]
    for (const order of [
      [first, second],
      [second, first],
    ]) {
      const fresh = store(newHome())
      fresh.fold(order.map(event => stored('archive', event)))
      fresh.supply([materialOf(second, 's1', whole.events)])
      expect(shown(read(fresh, second.doc))).toEqual(whole.pages)
    }
    writeLog(home, 's1', [
      ...whole.events.slice(0, 4),
      ours('archive', first),
      ...whole.events.slice(4),
      ours('archive', second),
    ])
    const one = await readAll(home)
    expect(shown(read(one, second.doc))).toEqual(whole.pages)
  })

  it('what a log lost is gone from it', async () => {
    const home = newHome()
    const [a, b] = [makeTurn(SIMPLE, 1), makeTurn(say('the region is eu-west'), 2)]
    const [x, y] = [archiveOf(a, 1, 's1'), archiveOf(b, 2, 's1')]
    writeLog(home, 's1', [...a.events, ours('archive', x), ...b.events, ours('archive', y)])
    const one = await readAll(home)
    expect(read(one, y.doc).state).toBe('held')
    writeLog(home, 's1', [...a.events, ours('archive', x)])
    await one.catchUp([home.sessions])
    expect(read(one, x.doc).state).toBe('held')
    expect(read(one, y.doc)).toMatchObject({ state: 'withdrawn', pages: [] })
    const fresh = await readAll(home, { path: ':memory:', keepJournal: true })
    expect(dump(fresh.database)).toBe(dump(one.database))
  })

  it('a live session that is ahead of its log on disk is not cut back to it', async () => {
    const home = newHome()
    const turn = makeTurn(SIMPLE, 1)
    const event = archiveOf(turn, 1, 's1')
    const one = store(home)
    one.fold([stored('archive', event)])
    one.supply([materialOf(event, 's1', turn.events)])
    writeLog(home, 's1', turn.events.slice(0, 1))
    await one.catchUp([home.sessions])
    expect(shown(read(one, event.doc))).toEqual(turn.pages)
  })
})

const ask = (query: string) => ({ query, scope: 'namespace', namespace: NS_A.id, topK: 5, pages: { topK: 5 } }) as const

describe('pages in a recall', () => {
  const home = newHome
  const filled = async (plans: readonly TurnPlan[], events: readonly StoredEvent[] = []) => {
    const place = home()
    const turns = plans.map((plan, at) => makeTurn(plan, at + 1))
    const archived = turns.map((turn, at) => archiveOf(turn, at + 1, `s${at + 1}`))
    for (const [at, turn] of turns.entries())
      writeLog(place, `s${at + 1}`, [...turn.events, ours('archive', archived[at])])
    const one = store(place)
    one.fold(events)
    await one.catchUp([place.sessions])
    return { one, place, archived }
  }

  it('are found by what was only said, with place and time, in both languages', async () => {
    const { one, archived } = await filled([SIMPLE, say('数据库的负责人是王芳'), say('lunch is at noon')])
    const english = one.recall(ask('which port does staging use?'))
    expect(english.outcome).toBe('hits')
    expect(english.pages[0]).toMatchObject({ doc: archived[0]?.doc, page: 0, session: 's1', turn: 1, pages: 1 })
    expect(english.pages[0]?.parts.map(({ kind }) => kind)).toEqual(['user', 'assistant'])
    expect(english.pages[0]?.parts[0]?.time).toBeGreaterThan(1_600_000_000_000)
    expect(one.recall(ask('数据库谁负责？')).pages[0]?.doc).toBe(archived[1]?.doc)
    expect(one.recall({ ...ask('staging port'), pages: undefined } as never).pages).toEqual([])
  })

  it('keep to the namespace, the session and the documents asked for', async () => {
    const { one, archived } = await filled([SIMPLE, say('the staging port was 9000 once')])
    const other = `ns_${'f'.repeat(24)}`
    expect(one.recall({ ...ask('staging port'), namespace: other }).pages).toEqual([])
    const within = [archived[1]?.doc ?? '']
    expect(one.recall({ ...ask('staging port'), pages: { topK: 5, within } }).pages.map(({ doc }) => doc)).toEqual(
      within,
    )
    const filtered = one.recall({ ...ask('staging port'), filters: { session: 's1' } })
    expect(filtered.pages.map(({ session }) => session)).toEqual(['s1'])
  })

  it('do not bring back the sentence of a purged block, whenever it was purged', async () => {
    const text = 'the staging port is 8443'
    const id = blockId(text)
    const events = [commit(50, text), purged(51, [id])]
    const { one } = await filled(
      [SIMPLE, say(`Please note. ${text}! Thanks.`), say('the staging host is kiwi')],
      events,
    )
    const { pages, counters } = one.recall(ask('staging port 8443'))
    expect(JSON.stringify(pages)).not.toContain('8443')
    expect(counters.skipped).toMatchObject({ withheld: 2 })
    expect(read(one, pages[0]?.doc ?? '').withheld).toBe(0)
    // Somebody says it again: it is no secret any more.
    one.fold([commit(60, text)])
    expect(JSON.stringify(one.recall(ask('staging port 8443')).pages)).toContain('8443')
  })

  it('are withheld where a purge names them, and the purge can know which to name', async () => {
    const text = 'the staging port is 8443'
    const { one, archived } = await filled([say(`I think ${text} and nothing else, right?`)], [commit(50, text)])
    const [known] = one.lookup({ namespace: NS_A.id, ids: [blockId(text)], pages: true })
    expect(known?.pages).toEqual([{ doc: archived[0]?.doc, page: 0 }])
    one.fold([purged(51, [blockId(text)], { pages: [...(known?.pages ?? [])] })])
    expect(one.recall(ask('staging port 8443')).pages).toEqual([])
    expect(read(one, archived[0]?.doc ?? '')).toMatchObject({ withheld: 1, pages: [] })
  })

  it('are redacted before anything of them is kept', async () => {
    const secret = `sk-${'a1B2c3D4'.repeat(6)}`
    const { one } = await filled([say(`my key is ${secret} for the staging host`)])
    const { pages } = one.recall(ask('key of the staging host'))
    expect(JSON.stringify(pages)).toContain('staging host')
    const everything = one.database.serialize().toString('latin1')
    expect(everything).not.toContain(secret)
  })

  it('of a hundred turns of one session are ranked among themselves, not with blocks', async () => {
    const { one } = await filled([SIMPLE], [commit(50, 'the staging port is 8443'), commit(51, 'unrelated note')])
    const answer = one.recall(ask('staging port 8443'))
    expect(answer.hits.map(({ kind }) => kind)).toEqual(['block'])
    expect(answer.pages).toHaveLength(1)
    expect(one.stats().blocks).toBe(2)
  })
})
