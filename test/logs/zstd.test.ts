import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { readSessionLog } from '../../src/logs/index.ts'
import { removeTempDirs, tempDir } from '../support/temp.ts'
import { frame, HEADER, readBytes, sessionLine, stored } from './samples.ts'

afterEach(removeTempDirs)

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n)
const lineOf = (n: number): string => sessionLine(stored(n))

/** Foreign lines that do not compress, so that a frame of them is large on disk too. */
function noise(bytes: number): string {
  const line = () => sessionLine({ type: 'assistant/chunk', seq: 0, data: randomBytes(1 << 15).toString('base64') })
  return Array.from({ length: Math.ceil(bytes / 43_000) }, line).join('')
}

/** RFC 8878, section 3.1.2: a frame that decoders pass over. */
function skippable(content: Buffer, nibble = 0): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32LE(0x184d2a50 + nibble, 0)
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content])
}

describe('a log of zstd frames', () => {
  it('is read to its end, however many frames it has', async () => {
    const log = Buffer.concat([frame(HEADER), ...numbers(1_000).map(n => frame(lineOf(n)))])
    expect(await readBytes(log, 'zstd')).toEqual({ events: numbers(1_000).map(n => stored(n)), issues: [] })
  })

  it('passes over skippable frames of every kind, also empty ones and one that looks like a log', async () => {
    const fake = frame(lineOf(99))
    const log = [
      frame(HEADER),
      ...numbers(16).map(n => skippable(fake, n)),
      skippable(Buffer.alloc(0)),
      frame(lineOf(1)),
    ]
    expect(await readBytes(Buffer.concat(log), 'zstd')).toEqual({ events: [stored(1)], issues: [] })
  })

  it.each([
    ['with a checksum', frame],
    ['without one', (text: string) => zstdCompressSync(text)],
    ['of no bytes', (text: string) => Buffer.concat([frame(''), frame(text)])],
    ['of one repeated byte', (text: string) => Buffer.concat([frame(`${' '.repeat(1 << 20)}\n`), frame(text)])],
  ])('knows frames %s', async (_, pack) => {
    expect(await readBytes(Buffer.concat([pack(HEADER), pack(lineOf(1))]), 'zstd')).toEqual({
      events: [stored(1)],
      issues: [],
    })
  })

  it('streams a small frame that unpacks to more than 64 MB', async () => {
    const log = frame(lineOf(1) + `${' '.repeat(1 << 20)}\n`.repeat(70) + lineOf(2))
    expect(log.length).toBeLessThan(1 << 20)
    expect(await readBytes(Buffer.concat([log, frame(lineOf(3))]), 'zstd')).toEqual({
      events: [stored(1), stored(2), stored(3)],
      issues: [],
    })
  })

  it('streams a frame that is large on disk', async () => {
    const large = frame(lineOf(1) + noise(3 << 20) + lineOf(2))
    expect(large.length).toBeGreaterThan(2 << 20)
    expect(await readBytes(Buffer.concat([large, frame(lineOf(3))]), 'zstd')).toEqual({
      events: [stored(1), stored(2), stored(3)],
      issues: [],
    })
  })

  it('may be left in the middle of a large frame without holding the file for ever', async () => {
    const path = join(tempDir(), 'session.jsonl.zstd')
    writeFileSync(path, frame(lineOf(1) + noise(3 << 20) + lineOf(2)))
    for await (const item of readSessionLog({ path, compression: 'zstd' })) {
      expect(item.kind).toBe('event')
      break
    }
  })
})

describe('a torn last frame', () => {
  it('cut at any byte is no issue and costs no event of the frames before it', async () => {
    const before = Buffer.concat([frame(HEADER), frame(lineOf(0))])
    const log = Buffer.concat([before, frame(lineOf(1))])
    for (let length = before.length; length < log.length; length++) {
      const { events, issues } = await readBytes(log.subarray(0, length), 'zstd')
      expect(issues, `cut at ${length}`).toEqual([])
      expect(events.slice(0, 1), `cut at ${length}`).toEqual([stored(0)])
      // what it held is all there before its checksum is; a host keeps it then, and so do we
      expect([[], [stored(1)]], `cut at ${length}`).toContainEqual(events.slice(1))
    }
    expect((await readBytes(log.subarray(0, -1), 'zstd')).events).toEqual([stored(0), stored(1)])
  })

  it('of many blocks gives the whole lines that can be had', async () => {
    const torn = frame(lineOf(1) + noise(2 << 20) + lineOf(2)).subarray(0, 1 << 20)
    const read = await readBytes(Buffer.concat([frame(HEADER), torn]), 'zstd')
    expect(read).toEqual({ events: [stored(1)], issues: [] })
  })

  it('of many blocks that lacks only the end of its checksum gives all of them', async () => {
    const torn = frame(lineOf(1) + noise(1 << 19) + lineOf(2)).subarray(0, -1)
    const read = await readBytes(Buffer.concat([frame(HEADER), torn]), 'zstd')
    expect(read).toEqual({ events: [stored(1), stored(2)], issues: [] })
  })
})

describe('a damaged frame', () => {
  it.each([65_533, 65_534, 65_535, 65_536, 65_537, 140_000])(
    '%d bytes of rubbish do not hide the next frame',
    async size => {
      const read = await readBytes(Buffer.concat([Buffer.alloc(size, 'x'), frame(lineOf(1))]), 'zstd')
      expect(read.events).toEqual([stored(1)])
      expect(read.issues).toHaveLength(1)
    },
  )

  it('any byte of it flipped: never a wrong event, the frames around it unharmed, and it is not silent', async () => {
    const head = Buffer.concat([frame(HEADER), frame(lineOf(0))])
    const middle = frame(lineOf(1))
    const log = Buffer.concat([head, middle, frame(lineOf(2))])
    for (let at = head.length; at < head.length + middle.length; at++) {
      for (const flip of [0x01, 0x20, 0x80, 0xff]) {
        const damaged = Buffer.from(log)
        damaged[at] = (damaged[at] ?? 0) ^ flip
        const { events, issues } = await readBytes(damaged, 'zstd')
        const where = `byte ${at - head.length} flipped by ${flip}`
        // a bit may be one that does not matter; then everything is there
        if (events.length === 3) expect(events, where).toEqual([stored(0), stored(1), stored(2)])
        else {
          expect(events, where).toEqual([stored(0), stored(2)])
          expect(issues.length, where).toBeGreaterThan(0)
        }
      }
    }
  })

  it('a large one too: nothing of it is taken before its checksum was', async () => {
    const large = frame(lineOf(1) + noise(3 << 20) + lineOf(2))
    large[large.length - 1] = (large.at(-1) ?? 0) ^ 0xff
    const read = await readBytes(Buffer.concat([frame(HEADER), large, frame(lineOf(3))]), 'zstd')
    expect(read.events).toEqual([stored(3)])
    expect(read.issues).toEqual([
      { offset: HEADER.length, reason: expect.stringMatching(/frame at byte \d+: .*checksum/) },
    ])
  })

  it('rubbish between frames is an issue, and reading goes on after it', async () => {
    const log = Buffer.concat([frame(lineOf(1)), Buffer.from('rubbish of a crash'), frame(lineOf(2))])
    const read = await readBytes(log, 'zstd')
    expect(read.events).toEqual([stored(1), stored(2)])
    expect(read.issues).toEqual([{ offset: expect.any(Number), reason: expect.stringContaining('not a zstd frame') }])
  })

  it('zeros at the end, as a power cut leaves them, are an issue', async () => {
    const read = await readBytes(Buffer.concat([frame(lineOf(1)), Buffer.alloc(4096)]), 'zstd')
    expect(read.events).toEqual([stored(1)])
    expect(read.issues).toHaveLength(1)
  })

  it('a file that is no zstd at all is one issue', async () => {
    const read = await readBytes(HEADER + lineOf(1), 'zstd')
    expect(read.events).toEqual([])
    expect(read.issues).toHaveLength(1)
  })
})
