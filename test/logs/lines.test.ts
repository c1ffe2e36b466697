import { once } from 'node:events'
import { createWriteStream, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readRecords } from '../../src/logs/detach/records.ts'
import { encodeLine } from '../../src/logs/journal-line.ts'
import { readStream } from '../../src/logs/journal-reader.ts'
import { type Line, MAX_LINE, splitLines } from '../../src/logs/lines.ts'
import { readPortable } from '../../src/logs/portable/reader.ts'
import { readSessionLog } from '../../src/logs/session-log.ts'
import { commit } from '../support/events.ts'
import { removeTempDirs, tempDir } from '../support/temp.ts'
import { HEADER, sessionLine } from './samples.ts'

afterAll(removeTempDirs)

async function* chunked(text: string, size: number): AsyncGenerator<Buffer> {
  // One buffer for all chunks, as a producer may do.
  const buffer = Buffer.alloc(size)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) {
    const length = bytes.copy(buffer, 0, at, at + size)
    yield buffer.subarray(0, length)
  }
}

async function lines(text: string, size: number, longest?: number): Promise<string[]> {
  const found: string[] = []
  for await (const line of splitLines(chunked(text, size), 0, longest)) found.push(told(line))
  return found
}

const told = ({ bytes, offset, next, complete, tooLong }: Line) =>
  `${offset}-${next}${complete ? '' : ' torn'}: ${tooLong ? 'too long' : bytes.toString()}`

describe('lines', () => {
  it.each([1, 2, 3, 7, 100])('are the same, whatever the chunks: %d bytes', async size => {
    expect(await lines('one\n\ntwo è\nend', size)).toEqual(['0-4: one', '4-5: ', '5-12: two è', '12-15 torn: end'])
    expect(await lines('one\n', size)).toEqual(['0-4: one'])
    expect(await lines('', size)).toEqual([])
  })

  it.each([1, 2, 3, 7, 100])('longer than may be held are passed over, and the rest is read: %d bytes', async size => {
    expect(await lines('1234\n12345\n\n1\n123456', size, 4)).toEqual([
      '0-5: 1234',
      '5-11: too long',
      '11-12: ',
      '12-14: 1',
      '14-20 torn: too long',
    ])
  })
})

describe('a line five times as long as is held', () => {
  const EVENT = commit(1, 'the port is 8080')

  /** A file with a line far beyond what is held, and one after it. */
  async function file(name: string, before: string, after: string): Promise<string> {
    const path = join(tempDir(), name)
    const stream = createWriteStream(path)
    stream.write(before)
    const part = Buffer.alloc(8 << 20, 'x')
    for (let written = 0; written <= 5 * MAX_LINE; written += part.length) {
      if (!stream.write(part)) await once(stream, 'drain')
    }
    stream.end(`\n${after}`)
    await once(stream, 'close')
    return path
  }

  async function growth(run: () => Promise<void>): Promise<number> {
    let most = 0
    const before = process.memoryUsage().arrayBuffers
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    }, 5)
    try {
      await run()
    } finally {
      clearInterval(timer)
    }
    return most
  }

  it('in a session log is an issue, is not held, and what follows is read', async () => {
    const path = await file('session.jsonl', HEADER, sessionLine({ ...EVENT, seq: 1, time: 1 }))
    const items: unknown[] = []
    const most = await growth(async () => {
      for await (const item of readSessionLog({ path, compression: 'none' })) items.push(item)
    })
    expect(items).toMatchObject([
      { kind: 'issue', issue: { offset: HEADER.length, reason: expect.stringContaining('longer than') } },
      { kind: 'event', event: { data: EVENT.data } },
    ])
    expect(most).toBeLessThan(3 * MAX_LINE)
    await expect(all(readRecords({ path, compression: 'none' }))).rejects.toThrow(/line 2 is longer/)
  })

  it('in a journal is an issue as well, and makes a portable file damaged', async () => {
    const path = await file('a.jsonl', encodeLine(EVENT), encodeLine(commit(2, 'x')))
    expect(await all(readStream(path))).toMatchObject([
      { kind: 'event' },
      { kind: 'issue', issue: { reason: expect.stringContaining('longer than') } },
      { kind: 'event' },
    ])
    const handle = await open(path)
    await expect(all(readPortable(handle))).rejects.toThrow()
    await handle.close()
  })

  it('that is torn is left for later', async () => {
    const path = join(tempDir(), 'torn.jsonl')
    writeFileSync(path, Buffer.alloc(MAX_LINE + 1, 'x'))
    expect(await all(readStream(path))).toEqual([])
    expect(await all(readSessionLog({ path, compression: 'none' }))).toEqual([])
  })
})

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}
