import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { JournalWriter } from '../../src/logs/index.ts'
import { removeTempDirs, tempDir } from '../support/temp.ts'
import { readJournal, stored } from './samples.ts'

afterEach(removeTempDirs)

describe('the checksum of a journal line', () => {
  it('any byte of a line flipped to any other value is an issue, never a wrong event', async () => {
    const path = join(tempDir(), 's.jsonl')
    const writer = new JournalWriter(path)
    writer.append([stored(1)])
    const line = writer.append([stored(2)])
    writer.append([stored(3)])
    writer.close()
    const bytes = readFileSync(path)
    for (let at = line.start; at < line.end; at++) {
      for (const flip of [0x01, 0x20, 0x80, 0xff]) {
        const damaged = Buffer.from(bytes)
        damaged[at] = (damaged[at] ?? 0) ^ flip
        writeFileSync(path, damaged)
        const read = await readJournal(path)
        // a lost line end takes the next line with it; nothing else may
        const intact = at === line.end - 1 ? [stored(1)] : [stored(1), stored(3)]
        expect(read.events, `byte ${at} flipped by ${flip}`).toEqual(intact)
        expect(read.issues.at(0)?.offset, `byte ${at} flipped by ${flip}`).toBe(line.start)
      }
    }
  })

  it('lines may be moved but not mixed: the checksum of one does not fit another', async () => {
    const path = join(tempDir(), 's.jsonl')
    const writer = new JournalWriter(path)
    writer.append([stored(1), stored(2)])
    writer.close()
    const [first = '', second = ''] = readFileSync(path, 'utf8').split('\n')
    const bodyAt = '{"crc":"00000000"'.length
    writeFileSync(path, `${first.slice(0, bodyAt)}${second.slice(bodyAt)}\n${second}\n`)
    const read = await readJournal(path)
    expect(read).toEqual({ events: [stored(2)], issues: [{ offset: 0, reason: 'the checksum does not match' }] })
  })

  it.each(['null', '7', '[]', '{}', '{"type":7}', '{"data":{}}'])(
    'a line with the right checksum but no event in it, %s, is an issue',
    async body => {
      const path = join(tempDir(), 's.jsonl')
      writeFileSync(path, `{"crc":"${crc32(body).toString(16).padStart(8, '0')}","event":${body}}\n`)
      expect(await readJournal(path)).toEqual({
        events: [],
        issues: [{ offset: 0, reason: 'the line holds no event' }],
      })
    },
  )

  it('is over bytes, so that any tool can check it', async () => {
    const path = join(tempDir(), 's.jsonl')
    const writer = new JournalWriter(path)
    writer.append([stored(1)])
    writer.close()
    const line = readFileSync(path)
    const body = line.subarray('{"crc":"00000000","event":'.length, -'}\n'.length)
    expect(JSON.parse(line.toString('utf8'))).toEqual({
      crc: crc32(body).toString(16).padStart(8, '0'),
      event: { type: stored(1).type, seq: 1, data: stored(1).data },
    })
  })
})
