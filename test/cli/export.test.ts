/** Export, and import of what was exported: another machine knows the same, byte for byte. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../src/events/index.ts'
import { blockId } from '../../src/events/index.ts'
import { arbEvents, commit, eventId, NS_A, NS_B, space } from '../support/events.ts'
import { removeTempDirs, tempDir } from '../support/temp.ts'
import { Machine } from './import-export.ts'

const out = () => join(tempDir(), 'memory.jsonl')

/** A stored session log of these events, as a host writes it. */
function sessionLog(machine: Machine, events: readonly StoredEvent[]): void {
  const folder = join(machine.sessions, 'project', 'one')
  mkdirSync(folder, { recursive: true })
  const header = { type: 'session', version: 0, id: 'one', createdAt: 1, delegationDepth: 0 }
  const lines = [header, ...events.map((event, seq) => ({ ...event, seq, time: 1, ignorable: true }))]
  writeFileSync(join(folder, 'session.jsonl'), lines.map(line => `${JSON.stringify(line)}\n`).join(''))
}

function purge(n: number, text: string, everywhere: boolean): StoredEvent {
  const { data } = commit(n, text)
  const { v, id, clock, at } = data as Record<string, unknown>
  const extra = everywhere ? { everywhere: true } : {}
  const payload = { v, id, clock, at, ns: NS_B, ids: [blockId(text)], reason: '', origin: 'tool', ...extra }
  return { type: 'hologram/purge', data: payload }
}

afterAll(removeTempDirs)

describe('export and import', () => {
  it('carry any memory to another machine without loss, and a second import changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(arbEvents(16), fc.nat({ max: 16 }), async (events, cut) => {
        const [here, there] = [new Machine(), new Machine()]
        // Some in the journal, some in session logs, some in both.
        here.journalOnly(events.slice(0, cut + 3))
        sessionLog(here, events.slice(cut))
        const file = out()
        expect((await here.run('export', file)).code).toBe(0)
        const dump = await here.dump()
        expect(await there.json('import', file)).toMatchObject({
          events: events.length,
          fresh: events.length,
          known: 0,
        })
        expect(await there.dump()).toBe(dump)
        expect(await there.rebuilt()).toBe(dump)
        const lines = there.lines()
        expect(await there.json('import', file)).toMatchObject({ fresh: 0, known: events.length, created: 0 })
        expect(there.lines()).toEqual(lines)
        expect(await there.dump()).toBe(dump)
        const again = out()
        await there.run('export', again)
        expect(await there.dump()).toBe(dump)
      }),
      { numRuns: 25 },
    )
  })

  it('keep vectors and every payload byte for byte', async () => {
    const here = new Machine()
    const text = 'a "quoted" 端口 \\ 😀 \ud800\u2028\n'
    const data = Buffer.from(Float32Array.from([0.1, -3e-39, 7]).buffer).toString('base64')
    const said = commit(1, text, { vector: { space: 'http:m:3:00000000', data } })
    here.journalOnly([space(2), said])
    const file = out()
    await here.run('export', file)
    const there = new Machine()
    await there.run('import', file)
    expect(there.lines().toSorted()).toEqual(here.lines().toSorted())
    const [, ...lines] = readFileSync(file, 'utf8').split('\n')
    expect(lines.slice(0, 2).toSorted()).toEqual(here.lines().toSorted())
  })

  it('makes the same file of the same events, wherever they lie', async () => {
    const [one, two] = [new Machine(), new Machine()]
    const events = [commit(1, 'one'), commit(2, 'two'), commit(3, 'three')]
    one.journalOnly(events.toReversed())
    two.journalOnly(events.slice(1))
    two.journalOnly(events.slice(0, 2))
    const [a, b] = [out(), out()]
    await one.run('export', a)
    await two.run('export', b)
    expect(readFileSync(b)).toEqual(readFileSync(a))
    expect(statSync(a).mode & 0o777).toBe(0o600)
  })

  it('adds to a memory that is there, beside a store that is open', async () => {
    const here = new Machine()
    here.journalOnly([commit(1, 'from there'), commit(2, 'known to both')])
    const file = out()
    await here.run('export', file)
    const there = new Machine()
    await there.withStore(async host => {
      host.fold([commit(2, 'known to both'), commit(3, 'from here')])
      expect(await there.json('import', file)).toMatchObject({ fresh: 1, known: 1, created: 1 })
      host.fold([commit(4, 'said after it')])
      await host.catchUpJournal()
      expect(host.stats()).toMatchObject({ blocks: 4, events: 4 })
    })
    expect(await there.rebuilt()).toBe(await there.dump())
  })

  it('from logs, journal, or both', async () => {
    const machine = new Machine()
    machine.journalOnly([commit(1, 'in the journal'), commit(2, 'in both')])
    sessionLog(machine, [commit(2, 'in both'), commit(3, 'in the log')])
    expect(await machine.json('export', out())).toMatchObject({ events: 3 })
    expect(await machine.json('export', out(), '--from', 'journal')).toMatchObject({ events: 2 })
    expect(await machine.json('export', out(), '--from', 'logs')).toMatchObject({ events: 2 })
    expect(existsSync(machine.path)).toBe(false)
  })

  it('of one namespace brings no text of others, but what was purged everywhere stays purged', async () => {
    const here = new Machine()
    const events = [commit(1, 'kept'), commit(2, 'forgotten'), commit(3, 'private', { ns: NS_B })]
    here.journalOnly([...events, purge(4, 'forgotten', true), purge(5, 'kept', false)])
    const file = out()
    expect(await here.json('export', file, '--namespace', NS_A.id)).toMatchObject({ events: 3, others: 1 })
    expect(readFileSync(file, 'utf8')).not.toContain('private')
    const there = new Machine()
    await there.run('import', file)
    await there.withStore(store => {
      const texts = store.database.prepare('SELECT text_content FROM memory_blocks').pluck().all()
      expect(texts).toEqual(['kept'])
    })
    expect(await here.json('export', out(), '--namespace', NS_A.id, '--namespace', NS_B.id)).toMatchObject({
      events: 5,
    })
  })

  it('carry what a newer version wrote, once, and leave out what no version can read', async () => {
    const here = new Machine()
    const newer = { type: 'hologram/dream', data: { ...(commit(7, 'x').data as object), v: 9 } }
    here.journalOnly([commit(1, 'one'), newer, { type: 'hologram/commit', data: { v: 1, id: eventId(8) } }])
    const file = out()
    expect(await here.json('export', file)).toMatchObject({ events: 2, skipped: { malformed: 1 } })
    const there = new Machine()
    expect(await there.json('import', file)).toMatchObject({
      fresh: 2,
      skipped: { 'kept, a newer dsh-hologram wrote them': 1 },
    })
    expect(there.lines()).toHaveLength(2)
    expect(await there.json('import', file)).toMatchObject({ fresh: 0, known: 2, skipped: {} })
    expect(there.lines()).toHaveLength(2)
  })

  it('passes over a damaged line of the journal, and says so', async () => {
    const machine = new Machine()
    machine.journalOnly([commit(1, 'one'), commit(2, 'two')])
    const [stream = ''] = readdirSync(machine.journal)
    const path = join(machine.journal, stream)
    writeFileSync(path, readFileSync(path, 'utf8').replace('"one"', '"0ne"'))
    const { remarks } = await machine.run('export', out())
    expect(remarks).toEqual(['1 damaged places in logs or journal were passed over'])
  })
})

describe('export refuses', () => {
  it('a file that is there, and leaves it alone', async () => {
    const machine = new Machine()
    machine.journalOnly([commit(1, 'one')])
    const file = out()
    writeFileSync(file, 'mine')
    await expect(machine.run('export', file)).rejects.toThrow(/is there already/)
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  it('no file, two files, a folder that is not there, and a namespace nobody has', async () => {
    const machine = new Machine()
    machine.journalOnly([commit(1, 'one')])
    await expect(machine.run('export')).rejects.toThrow(/one file/)
    await expect(machine.run('export', 'a', 'b')).rejects.toThrow(/one file/)
    await expect(machine.run('export', join(tempDir(), 'no', 'where.jsonl'))).rejects.toThrow(/cannot be written/)
    const file = out()
    await expect(machine.run('export', file, '--namespace', NS_B.id)).rejects.toThrow(`${NS_A.id} (alpha)`)
    await expect(machine.run('export', file, '--namespace', 'alpha')).rejects.toThrow(/takes the id/)
    expect(existsSync(file)).toBe(false)
  })
})

describe('import of a portable journal refuses', () => {
  const refused = async (bytes: string | Buffer, reason: RegExp) => {
    const file = join(tempDir(), 'memory.jsonl')
    writeFileSync(file, bytes)
    const machine = new Machine()
    await expect(machine.run('import', file)).rejects.toThrow(reason)
    expect(readdirSync(machine.home)).toEqual([])
  }

  it('a damaged, a cut and a foreign file, and has written nothing then', async () => {
    const machine = new Machine()
    machine.journalOnly(Array.from({ length: 1_200 }, (_, n) => commit(n + 1, `fact ${n}`)))
    const file = out()
    await machine.run('export', file)
    const whole = readFileSync(file)
    const flipped = Buffer.from(whole)
    flipped[whole.length - 100] = (flipped[whole.length - 100] ?? 0) ^ 1
    await refused(flipped, /cannot be imported: .*Nothing was written/)
    await refused(whole.subarray(0, whole.length - 200), /cut off|damaged|checksum|journal line/)
    await refused('some notes\n', /neither a portable journal nor/)
    await refused('', /is empty/)
    await refused(readFileSync(join(machine.journal, readdirSync(machine.journal)[0] ?? '')), /stream of a journal/)
  })

  it('a namespace to put it in', async () => {
    const machine = new Machine()
    machine.journalOnly([commit(1, 'one')])
    const file = out()
    await machine.run('export', file)
    await expect(machine.run('import', file, '--namespace', 'x')).rejects.toThrow(/brings its namespaces/)
  })
})

describe('a dry run', () => {
  it('says what would happen, and writes nothing', async () => {
    const here = new Machine()
    here.journalOnly([commit(1, 'one'), commit(2, 'two')])
    const file = out()
    await here.run('export', file)
    const there = new Machine()
    const dry = await there.json('import', file, '--dry-run')
    expect(dry).toMatchObject({ dryRun: true, events: 2, fresh: 2, known: 0, created: 2 })
    expect(readdirSync(there.home)).toEqual([])
    expect(await there.json('import', file)).toEqual({ ...dry, dryRun: false })
    expect(await there.json('import', file, '--dry-run')).toMatchObject({ fresh: 0, known: 2, created: 0 })
  })
})
