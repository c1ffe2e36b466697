/** Packing: many small streams become one, and nothing that was acknowledged is lost, whoever writes meanwhile. */
import { appendFileSync, existsSync, readdirSync, readFileSync, renameSync, statSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../src/events/index.ts'
import { JournalWriter, listStreams, packStreams } from '../../src/logs/index.ts'
import { removeTempDirs, tempDir } from '../support/temp.ts'
import { readJournal } from './samples.ts'

const open: JournalWriter[] = []

afterEach(() => {
  for (const writer of open.splice(0)) writer.close()
  removeTempDirs()
})

const event = (n: number, extra: object = {}): StoredEvent => ({
  type: 'hologram/commit',
  seq: n,
  data: { id: `evt_${n}`, ...extra },
})

function writer(folder: string): JournalWriter {
  const made = JournalWriter.inFolder(folder)
  open.push(made)
  return made
}

/** One stream for each list of numbers, by writers that have ended. */
function write(folder: string, ...streams: ReadonlyArray<readonly number[]>): string[] {
  return streams.map(numbers => {
    const ended = JournalWriter.inFolder(folder)
    ended.append(numbers.map(n => event(n)))
    ended.close()
    return ended.path
  })
}

/** The numbers of all events in the journal, as often as they stand there. */
async function numbersIn(folder: string): Promise<number[]> {
  const reads = await Promise.all((await listStreams(folder)).map(({ path }) => readJournal(path)))
  return reads.flatMap(read => read.events.map(({ seq }) => seq ?? -1)).sort((a, b) => a - b)
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n)

describe('packing', () => {
  it('makes one stream of many, with each event once, and leaves the caller’s own alone', async () => {
    const folder = tempDir()
    write(folder, [0, 1], [1, 2], [3], [2, 0, 4])
    const own = writer(folder)
    own.append([event(5)])
    expect(await packStreams(folder, own.path, 3)).toBe(4)
    expect(readdirSync(folder)).toHaveLength(2)
    expect(await numbersIn(folder)).toEqual(upTo(6))
    expect((await readJournal(own.path)).events).toEqual([event(5)])
  })

  it('does nothing while there are few', async () => {
    const folder = tempDir()
    const paths = write(folder, [0], [1])
    expect(await packStreams(folder, '', 3)).toBe(0)
    expect(readdirSync(folder).map(name => join(folder, name))).toEqual(paths)
  })

  it('leaves large streams where they are', async () => {
    const folder = tempDir()
    const large = writer(folder)
    large.append([event(0, { filler: 'x'.repeat(9 << 20) })])
    write(folder, [1], [2])
    expect(await packStreams(folder, '', 2)).toBe(2)
    expect(existsSync(large.path)).toBe(true)
    expect(await numbersIn(folder)).toEqual([0, 1, 2])
  })

  it('keeps events it cannot make sense of, also those without an id', async () => {
    const folder = tempDir()
    const odd: StoredEvent[] = [
      { type: 'hologram/of-a-newer-version', seq: 0, data: { id: 'other' } },
      { type: 'hologram/commit', seq: 1, data: null },
      { type: 'hologram/commit', seq: 2, data: 'text' },
      { type: 'hologram/commit', seq: 3, data: {} },
    ]
    for (const each of odd) writer(folder).append([each])
    await packStreams(folder, '', 2)
    expect(await numbersIn(folder)).toEqual(upTo(4))
  })

  it('gives the packed stream the modes of any other', async () => {
    const folder = join(tempDir(), 'journal')
    write(folder, [0], [1])
    await packStreams(folder, '', 2)
    const [packed] = await listStreams(folder)
    expect(statSync(packed?.path ?? '').mode & 0o777).toBe(0o600)
  })
})

describe('what a crash left', () => {
  it('a torn last line is dropped, a whole one without its line end is not', async () => {
    const folder = tempDir()
    const [whole = '', torn = ''] = write(folder, [0, 1], [2, 3])
    truncateSync(whole, statSync(whole).size - 1)
    truncateSync(torn, statSync(torn).size - 2)
    await packStreams(folder, '', 2)
    expect(await numbersIn(folder)).toEqual([0, 1, 2])
  })

  it('sealed streams are still read, and the next packing finishes them, however few there are', async () => {
    const folder = tempDir()
    const [first = ''] = write(folder, [0], [1])
    renameSync(first, `${first}.sealed`)
    expect(await numbersIn(folder)).toEqual([0, 1])
    expect(await packStreams(folder, '', 100)).toBeGreaterThan(0)
    expect(readdirSync(folder).filter(name => name.endsWith('.sealed'))).toEqual([])
    expect(await numbersIn(folder)).toEqual([0, 1])
  })

  it('a damaged stream is kept aside, byte for byte, and what can be read of it is packed', async () => {
    const folder = tempDir()
    const [damaged = ''] = write(folder, [0], [1])
    appendFileSync(damaged, 'rubbish\n')
    const bytes = readFileSync(damaged)
    await packStreams(folder, '', 2)
    expect(readFileSync(`${damaged}.damaged`)).toEqual(bytes)
    expect(await numbersIn(folder)).toEqual([0, 1])
  })
})

describe('beside others', () => {
  it('a writer whose stream is taken from it writes that group anew, in a stream of its own', async () => {
    const folder = tempDir()
    const writing = writer(folder)
    writing.append([event(0)])
    const before = writing.path
    renameSync(before, `${before}.sealed`)
    const span = writing.append([event(1)])
    expect(writing.path).not.toBe(before)
    expect(dirname(writing.path)).toBe(folder)
    expect(await readJournal(writing.path, span.start)).toEqual({ events: [event(1)], issues: [] })
  })

  it('a writer whose stream was removed goes on in another', async () => {
    const folder = tempDir()
    const writing = writer(folder)
    writing.append([event(0)])
    write(folder, [1])
    await packStreams(folder, '', 2)
    writing.append([event(2)])
    expect(await numbersIn(folder)).toEqual([0, 1, 2])
  })

  it('living writers and two packers at once lose nothing', async () => {
    const folder = tempDir()
    const writers = upTo(8).map(() => writer(folder))
    let next = 0
    const talk = async (each: JournalWriter) => {
      for (let group = 0; group < 40; group++) {
        each.append([event(next++), event(next++)])
        await breathe()
      }
    }
    const pack = async () => {
      let packed = 0
      for (let round = 0; round < 20; round++) {
        packed += await packStreams(folder, '', 2)
        await breathe()
      }
      return packed
    }
    const [first, second] = await Promise.all([pack(), pack(), ...writers.map(talk)])
    expect(Number(first) + Number(second)).toBeGreaterThan(8)
    expect([...new Set(await numbersIn(folder))]).toEqual(upTo(640))
  })
})
