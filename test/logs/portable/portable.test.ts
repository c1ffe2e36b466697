/** The portable form: what is written is read, and a file with any byte changed or missing is refused. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../../src/events/index.ts'
import {
  EventSpool,
  encodeHeader,
  encodeTrailer,
  envelopeOf,
  PortableJournalError,
  readPortable,
  sniff,
  writePortable,
} from '../../../src/logs/portable/index.ts'
import { arbEvents, BAD_EVENTS, commit, eventId } from '../../support/events.ts'
import { removeTempDirs, tempDir } from '../../support/temp.ts'
import { collect } from '../samples.ts'

function write(path: string, events: readonly StoredEvent[]): void {
  const spool = new EventSpool(`${path}.spool`)
  try {
    for (const event of events) {
      const envelope = envelopeOf(event)
      if ('id' in envelope) spool.add(envelope, event)
    }
    writePortable(path, spool.count, spool.lines())
  } finally {
    spool.close()
  }
}

async function read(path: string): Promise<StoredEvent[]> {
  const file = await open(path, 'r')
  try {
    return await collect(readPortable(file))
  } finally {
    await file.close()
  }
}

const readBytes = (bytes: Buffer | string) => {
  const path = join(tempDir(), 'x.jsonl')
  writeFileSync(path, bytes)
  return read(path)
}

afterAll(removeTempDirs)

describe('a portable journal', () => {
  it('brings every event back, each once, in event order, whatever order it met them in', async () => {
    await fc.assert(
      fc.asyncProperty(arbEvents(), async events => {
        const path = join(tempDir(), 'memory.jsonl')
        write(path, [...events, ...events.slice(0, 3)])
        const back = await read(path)
        const order = (event: StoredEvent) => {
          const { clock, id } = event.data as { clock: number; id: string }
          return `${String(clock).padStart(6, '0')} ${id}`
        }
        expect(back).toEqual(events.toSorted((a, b) => (order(a) < order(b) ? -1 : 1)))
        const again = join(tempDir(), 'memory.jsonl')
        write(again, back.toReversed())
        expect(readFileSync(again)).toEqual(readFileSync(path))
      }),
      { numRuns: 100 },
    )
  })

  it('is for its user alone, leaves nothing beside it, and never replaces a file', () => {
    const folder = tempDir()
    const path = join(folder, 'memory.jsonl')
    write(path, [commit(1, 'one')])
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['memory.jsonl'])
    const before = readFileSync(path)
    expect(() => write(path, [commit(2, 'two')])).toThrow(/exists/)
    expect(readFileSync(path)).toEqual(before)
    expect(readdirSync(folder)).toEqual(['memory.jsonl'])
  })

  it('leaves nothing behind when its lines fail', () => {
    const folder = tempDir()
    const path = join(folder, 'memory.jsonl')
    const failing = function* (): Generator<Buffer> {
      yield Buffer.from('line\n')
      throw new Error('gone')
    }
    expect(() => writePortable(path, 2, failing())).toThrow('gone')
    expect(readdirSync(folder)).toEqual([])
  })

  it('is refused with any one byte changed, and with any one byte missing or added', async () => {
    const path = join(tempDir(), 'memory.jsonl')
    write(path, [commit(1, 'the port is 8080 端口'), commit(2, 'two')])
    const whole = readFileSync(path)
    expect(await readBytes(whole)).toHaveLength(2)
    const refused = async (bytes: Buffer, what: string) =>
      expect(
        await readBytes(bytes).then(
          () => 'taken',
          error => error,
        ),
        what,
      ).toBeInstanceOf(PortableJournalError)
    for (let at = 0; at < whole.length; at++) {
      for (const bit of [1, 0x20, 0x80]) {
        const bytes = Buffer.from(whole)
        bytes[at] = (bytes[at] ?? 0) ^ bit
        await refused(bytes, `bit ${bit} of byte ${at}`)
      }
      await refused(Buffer.concat([whole.subarray(0, at), whole.subarray(at + 1)]), `without byte ${at}`)
      await refused(whole.subarray(0, at), `cut at byte ${at}`)
      await refused(Buffer.concat([whole.subarray(0, at), Buffer.from('\n'), whole.subarray(at)]), `line end at ${at}`)
    }
    await refused(Buffer.concat([whole, Buffer.from('\n')]), 'a line more')
    await refused(Buffer.concat([whole, whole]), 'twice')
  })

  it('is refused without a line, with two lines swapped, and with a last line made for fewer', async () => {
    const path = join(tempDir(), 'memory.jsonl')
    write(path, [commit(1, 'one'), commit(2, 'two'), commit(3, 'three')])
    const [header = '', one = '', two = '', three = '', trailer = ''] = readFileSync(path, 'utf8').split(/(?<=\n)/)
    await expect(readBytes(header + one + three + trailer)).rejects.toThrow(/last line/)
    await expect(readBytes(header + two + one + three + trailer)).rejects.toThrow(/last line/)
    await expect(readBytes(header + one)).rejects.toThrow(/cut off: 1 of 3/)
    await expect(readBytes(one + two)).rejects.toThrow(/first line/)
    await expect(readBytes('')).rejects.toThrow(/cut off/)
    await expect(readBytes(encodeHeader(0) + encodeTrailer(0, '0'.repeat(64)))).rejects.toThrow(/last line/)
  })

  it('of a newer format says so', async () => {
    const body = '{"format":"dsh-hologram/journal","version":2,"events":0}'
    const { crc32 } = await import('node:zlib')
    const crc = crc32(body).toString(16).padStart(8, '0')
    await expect(readBytes(`{"crc":"${crc}","portable":${body}}\n`)).rejects.toThrow(/version 2/)
  })
})

describe('what an event needs to be carried', () => {
  it('is an envelope; what a newer version wrote is carried unread', () => {
    expect(envelopeOf(commit(1, 'one'))).toMatchObject({ id: eventId(1), clock: 1, readable: true, everywhere: false })
    expect(envelopeOf(BAD_EVENTS.malformed)).toEqual({ reason: 'malformed' })
    expect(envelopeOf(BAD_EVENTS.newer_version)).toEqual({ reason: 'malformed' })
    const newer = { type: 'hologram/dream', data: { ...(commit(5, 'x').data as object), v: 7 } }
    expect(envelopeOf(newer)).toMatchObject({ id: eventId(5), readable: false })
    expect(envelopeOf({ type: 'turn/start', data: {} })).toEqual({ reason: 'foreign' })
  })
})

describe('the spool', () => {
  it('has no name while it is in use, and cannot be read by others', () => {
    const folder = tempDir()
    const spool = new EventSpool(join(folder, 's'))
    spool.add({ id: 'a', clock: 1 }, commit(1, 'one'))
    expect(existsSync(join(folder, 's'))).toBe(false)
    spool.close()
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('telling what a file is', () => {
  it('goes by its beginning, not by its name', () => {
    const folder = tempDir()
    const kind = (bytes: string) => {
      const path = join(folder, 'file.db')
      writeFileSync(path, bytes)
      return sniff(path)
    }
    expect(kind('')).toBe('empty')
    expect(kind('SQLite format 3\0…')).toBe('sqlite')
    expect(kind(encodeHeader(3))).toBe('portable')
    expect(kind('{"crc":"00000000","event":{}}\n')).toBe('journal stream')
    expect(kind('# notes\n')).toBe('foreign')
  })
})
