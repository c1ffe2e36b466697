/** How far each stream and each log was read, and what happens when one is not what it was. */
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { JournalWriter } from '../../../src/logs/index.ts'
import type { Store } from '../../../src/readmodels/worker/store.ts'
import { commit, eventId } from '../../support/events.ts'
import { dump } from '../projector/folding.ts'
import {
  closeStores,
  foreignStream,
  idsOf,
  journalEvents,
  line,
  newHome,
  rebuilt,
  sessionLog,
  stamp,
  store,
} from './stores.ts'

afterEach(closeStores)

const fact = (n: number) => commit(n, `fact ${n}`)
const known = (one: Store) => one.database.prepare('SELECT id FROM events_seen ORDER BY id').pluck().all()
const cursor = (one: Store, path: string) =>
  one.database.prepare('SELECT offset FROM journal_streams WHERE name = ?').pluck().get(basename(path))

describe('a stream of another process', () => {
  it('is read on from where it was read to', async () => {
    const home = newHome()
    const path = foreignStream(home, '01OTHER', [fact(1)])
    const one = store(home)
    await one.catchUpJournal()
    expect(cursor(one, path)).toBe(readFileSync(path).length)
    foreignStream(home, '01OTHER', [fact(2), fact(3)])
    await one.catchUpJournal()
    expect(known(one)).toEqual([1, 2, 3].map(eventId))
    expect(cursor(one, path)).toBe(readFileSync(path).length)
  })

  it('with a torn last line is read up to it, and on when it is whole', async () => {
    const home = newHome()
    const path = foreignStream(home, '01OTHER', [fact(1), fact(2)])
    const bytes = readFileSync(path)
    const torn = bytes.indexOf('\n') + 20
    truncateSync(path, torn)
    const one = store(home)
    await one.catchUpJournal()
    expect(known(one)).toEqual([eventId(1)])
    expect(one.stats().issues).toBe(0)
    appendFileSync(path, bytes.subarray(torn))
    await one.catchUpJournal()
    expect(known(one)).toEqual([1, 2].map(eventId))
  })

  it('whose last line lacks only its line end is whole, and goes on behind it', async () => {
    const home = newHome()
    const path = foreignStream(home, '01OTHER', [fact(1)])
    truncateSync(path, readFileSync(path).length - 1)
    const one = store(home)
    await one.catchUpJournal()
    expect(known(one)).toEqual([eventId(1)])
    foreignStream(home, '01OTHER', [fact(2)])
    await one.catchUpJournal()
    expect(known(one)).toEqual([1, 2].map(eventId))
    expect(one.stats().issues).toBe(0)
  })

  it('that shrank is read anew, and nothing that was folded is lost', async () => {
    const home = newHome()
    const path = foreignStream(home, '01OTHER', [fact(1), fact(2)])
    const one = store(home)
    await one.catchUpJournal()
    truncateSync(path, 0)
    foreignStream(home, '01OTHER', [fact(3)])
    await one.catchUpJournal()
    expect(known(one)).toEqual([1, 2, 3].map(eventId))
    expect(cursor(one, path)).toBe(readFileSync(path).length)
  })

  it('that shrank and grew beyond where it was read is found out by what stands there', async () => {
    const home = newHome()
    const path = foreignStream(home, '01OTHER', [fact(1), commit(2, 'taken back: its fsync failed')])
    const one = store(home)
    await one.catchUpJournal()
    truncateSync(path, readFileSync(path).indexOf('\n') + 1)
    foreignStream(home, '01OTHER', [commit(3, `another group, longer than what was there ${'x'.repeat(300)}`), fact(4)])
    await one.catchUpJournal()
    expect(known(one)).toEqual([1, 2, 3, 4].map(eventId))
    expect(one.stats().issues).toBe(0)
  })

  it('with a bad line in the middle is read on behind it, and the line is counted once', async () => {
    const home = newHome()
    const path = foreignStream(home, '01OTHER', [fact(1), fact(2), fact(3)])
    const lines = readFileSync(path, 'utf8').split('\n')
    writeFileSync(path, [lines[0], lines[1]?.replace('fact 2', 'fact !'), lines[2], ''].join('\n'))
    const one = store(home)
    await one.catchUpJournal()
    await one.catchUpJournal()
    expect(known(one)).toEqual([1, 3].map(eventId))
    expect(one.stats().issues).toBe(1)
  })
})

describe('our own stream', () => {
  it('is not read again when all of it was folded', async () => {
    const home = newHome()
    const one = store(home)
    one.fold([fact(1)])
    one.fold([fact(2)])
    const before = one.taken
    await one.catchUpJournal()
    expect(one.taken).toBe(before)
  })

  it('that was continued after a torn tail holds the old and the new', async () => {
    const home = newHome()
    const path = foreignStream(home, '01OTHER', [fact(1)])
    appendFileSync(path, '{"crc":"00000000","event":{"ty')
    const writer = new JournalWriter(path)
    writer.append([fact(2)])
    writer.close()
    const one = store(home)
    await one.catchUpJournal()
    expect(known(one)).toEqual([1, 2].map(eventId))
    expect(one.stats().issues).toBe(0)
  })
})

describe('a session log', () => {
  it('that did not change is not read again', async () => {
    const home = newHome()
    const path = sessionLog(home, 's', [commit(1, 'fact 1')])
    stamp(path)
    const one = store(home)
    await one.catchUp([home.sessions])
    sessionLog(home, 's', [commit(2, 'fact 2')])
    stamp(path)
    await one.catchUp([home.sessions])
    expect(known(one)).toEqual([eventId(1)])
  })

  it('that grew is read, and only its new events count', async () => {
    const home = newHome()
    const path = sessionLog(home, 's', [fact(1)])
    const one = store(home)
    await one.catchUp([home.sessions])
    appendFileSync(path, line(fact(2), 2))
    await one.catchUp([home.sessions])
    expect(known(one)).toEqual([1, 2].map(eventId))
    expect(idsOf(journalEvents(home))).toEqual([1, 2].map(eventId))
  })

  it('that was repaired by appending is read by ids: a shorter tail that looks longer hides nothing', async () => {
    const home = newHome()
    sessionLog(home, 's', [fact(1), fact(2)])
    const one = store(home)
    await one.catchUp([home.sessions])
    // The tail with event 2 was lost; the host closed the open turn and went on at the same seqs.
    const repair = `${JSON.stringify({ type: 'turn/end', seq: 2, time: 1, data: { turn: 1, reason: 'x'.repeat(400) } })}\n`
    sessionLog(home, 's', [fact(1)], repair + line(fact(3), 3))
    await one.catchUp([home.sessions])
    expect(known(one)).toEqual([1, 2, 3].map(eventId))
    expect(dump(one.database)).toBe(await rebuilt(home))
  })

  it('that shrank, or is gone, takes no memory with it', async () => {
    const home = newHome()
    sessionLog(home, 's', [fact(1), fact(2)])
    const one = store(home)
    await one.catchUp([home.sessions])
    sessionLog(home, 's', [])
    await one.catchUp([home.sessions])
    expect(one.stats().blocks).toBe(2)
    expect(dump(one.database)).toBe(await rebuilt(home))
  })

  it('whose last line is not whole yet waits for it', async () => {
    const home = newHome()
    const path = sessionLog(home, 's', [fact(1)], line(fact(2), 2).slice(0, -1))
    const one = store(home)
    await one.catchUp([home.sessions])
    expect(known(one)).toEqual([eventId(1)])
    appendFileSync(path, '\n')
    await one.catchUp([home.sessions])
    expect(known(one)).toEqual([1, 2].map(eventId))
  })

  it('of a fork adds nothing that the parent said: 15 sources of 12 and 3, not 27', async () => {
    const home = newHome()
    const parent = Array.from({ length: 12 }, (_, n) => fact(n + 1))
    sessionLog(home, 'parent', parent)
    sessionLog(home, 'child', [...parent, ...[13, 14, 15].map(fact)])
    const one = store(home)
    for (let resumed = 0; resumed < 2; resumed++) await one.catchUp([home.sessions])
    expect(one.database.prepare('SELECT count(*) FROM block_sources').pluck().get()).toBe(15)
  })

  it('below a root that does not exist is none', async () => {
    const one = store(newHome())
    await one.catchUp(['/nonexistent/sessions'])
    expect(one.stats().events).toBe(0)
  })
})
