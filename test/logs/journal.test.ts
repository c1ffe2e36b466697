import { appendFileSync, chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { JournalWriter, listStreams, readStream } from '../../src/logs/index.ts'
import { removeTempDirs, tempDir } from '../support/temp.ts'
import { collect, readJournal, stored } from './samples.ts'

const open: JournalWriter[] = []

afterEach(() => {
  for (const writer of open.splice(0)) writer.close()
  removeTempDirs()
})

function writer(path = join(tempDir(), 'journal', 's.jsonl')): JournalWriter {
  const made = new JournalWriter(path)
  open.push(made)
  return made
}

const mode = (path: string): number => statSync(path).mode & 0o777

describe('appending', () => {
  it('reads back what was written, in order, with and without a seq', async () => {
    const events = [stored(1), { type: 'hologram/space', data: { text: '\ud83d \u2028 \0 \r\n' } }, stored(3)]
    const journal = writer()
    journal.append(events.slice(0, 2))
    journal.append(events.slice(2))
    expect(await readJournal(journal.path)).toEqual({ events, issues: [] })
  })

  it('says where the group stands, and reading from there gives just that group', async () => {
    const journal = writer()
    const first = journal.append([stored(1)])
    const second = journal.append([stored(2), stored(3)])
    expect(first).toEqual({ start: 0, end: second.start })
    expect(second.end).toBe(statSync(journal.path).size)
    expect((await readJournal(journal.path, second.start)).events).toEqual([stored(2), stored(3)])
    expect((await readJournal(journal.path, second.end)).events).toEqual([])
  })

  it('goes on in a stream that exists', async () => {
    const first = writer()
    first.append([stored(1)])
    first.close()
    writer(first.path).append([stored(2)])
    expect(await readJournal(first.path)).toEqual({ events: [stored(1), stored(2)], issues: [] })
  })

  it('can go on after a close, and closing twice is harmless', async () => {
    const journal = writer()
    journal.append([stored(1)])
    journal.close()
    journal.close()
    journal.append([stored(2)])
    expect((await readJournal(journal.path)).events).toEqual([stored(1), stored(2)])
  })

  it('makes nothing on disk before the first append', async () => {
    const journal = writer()
    expect(await listStreams(dirname(journal.path))).toEqual([])
  })

  it('two writers in one folder never share a stream', async () => {
    const folder = join(tempDir(), 'journal')
    const [a, b] = [JournalWriter.inFolder(folder), JournalWriter.inFolder(folder)]
    open.push(a, b)
    a.append([stored(1)])
    b.append([stored(2)])
    a.append([stored(3)])
    expect((await listStreams(folder)).map(stream => stream.path).sort()).toEqual([a.path, b.path].sort())
    expect((await readJournal(a.path)).events).toEqual([stored(1), stored(3)])
    expect((await readJournal(b.path)).events).toEqual([stored(2)])
  })
})

describe('who may read it', () => {
  it('a stream is 0600 and every folder made for it 0700, whatever the umask allows', () => {
    const path = join(tempDir(), 'hologram', 'journal', 's.jsonl')
    const before = process.umask(0)
    try {
      writer(path).append([stored(1)])
    } finally {
      process.umask(before)
    }
    expect([path, dirname(path), dirname(dirname(path))].map(mode)).toEqual([0o600, 0o700, 0o700])
  })

  it('a folder of the user keeps the mode the user gave it', () => {
    const folder = join(tempDir(), 'journal')
    mkdirSync(folder)
    chmodSync(folder, 0o750)
    writer(join(folder, 's.jsonl')).append([stored(1)])
    expect(mode(folder)).toBe(0o750)
  })
})

describe('listing streams', () => {
  it('is by name, oldest first, with sizes, and of .jsonl files only', async () => {
    const folder = tempDir()
    writeFileSync(join(folder, 'b.jsonl'), '12345')
    writeFileSync(join(folder, 'a.jsonl'), '1')
    writeFileSync(join(folder, 'notes.txt'), 'x')
    mkdirSync(join(folder, 'c.jsonl'))
    const streams = await listStreams(folder)
    expect(streams.map(({ name, size }) => ({ name, size }))).toEqual([
      { name: 'a.jsonl', size: 1 },
      { name: 'b.jsonl', size: 5 },
    ])
  })

  it('knows a sealed stream by the name it had', async () => {
    const folder = tempDir()
    writeFileSync(join(folder, 'a.jsonl.sealed'), '1')
    writeFileSync(join(folder, 'b.jsonl.damaged'), '1')
    expect(await listStreams(folder)).toEqual([{ name: 'a.jsonl', path: join(folder, 'a.jsonl.sealed'), size: 1 }])
  })

  it('a folder that does not exist has none', async () => {
    expect(await listStreams(join(tempDir(), 'nowhere'))).toEqual([])
  })
})

describe('cursors', () => {
  it('going on from any item continues with exactly the rest', async () => {
    const journal = writer()
    journal.append([stored(1), stored(2), stored(3)])
    appendFileSync(journal.path, 'rubbish\n')
    journal.append([stored(4)])
    const items = await collect(readStream(journal.path))
    expect(items).toHaveLength(5)
    for (const [at, item] of items.entries()) {
      expect(await collect(readStream(journal.path, item.next))).toEqual(items.slice(at + 1))
    }
  })

  it('a line that gets its line end after it was read is not read twice', async () => {
    const journal = writer()
    journal.append([stored(1)])
    const bytes = readFileSync(journal.path)
    writeFileSync(journal.path, bytes.subarray(0, -1))
    const [item] = await collect(readStream(journal.path))
    expect(item).toMatchObject({ kind: 'event', next: bytes.length - 1 })
    journal.close()
    writer(journal.path).append([stored(2)])
    expect((await readJournal(journal.path, item?.next)).events).toEqual([stored(2)])
  })

  it('a stream that is gone when it is read was packed into another, and is no issue', async () => {
    expect(await readJournal(join(tempDir(), 'gone.jsonl'))).toEqual({ events: [], issues: [] })
  })

  it('a stream that cannot be read is an issue, not the end of catching up', async () => {
    const folder = tempDir()
    expect(await readJournal(folder)).toEqual({
      events: [],
      issues: [{ offset: 0, reason: expect.stringContaining('EISDIR') }],
    })
  })
})
