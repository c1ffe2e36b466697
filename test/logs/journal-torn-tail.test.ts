/**
 * Case 34 as a rule. The case wants a bad line in the middle to be an error and not a skip; law 7 of the design wants it
 * skipped, counted and shown, because one damaged line must not cost the user all lines after it. The design decides: it
 * is an issue with its offset, and reading goes on, which is safe since every line has a checksum of its own.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { JournalWriter } from '../../src/logs/index.ts'
import { removeTempDirs, tempDir } from '../support/temp.ts'
import { readJournal, stored } from './samples.ts'

afterEach(removeTempDirs)

function append(path: string, ...numbers: number[]): { readonly start: number; readonly end: number } {
  const writer = new JournalWriter(path)
  try {
    return writer.append(numbers.map(n => stored(n)))
  } finally {
    writer.close()
  }
}

describe('a torn last line', () => {
  it('cut at any byte, is cut away before the first new append, and the new event survives', async () => {
    const path = join(tempDir(), 's.jsonl')
    const whole = append(path, 1, 2)
    const last = append(path, 3)
    const bytes = readFileSync(path)
    for (let length = last.start; length <= last.end; length++) {
      writeFileSync(path, bytes.subarray(0, length))
      // a last line that is complete but for its line end counts
      const survivors = length >= last.end - 1 ? [1, 2, 3] : [1, 2]
      const before = await readJournal(path)
      expect(before, `torn at ${length}`).toEqual({ events: survivors.map(n => stored(n)), issues: [] })

      const added = append(path, 4)
      expect(added.start).toBe(survivors.length === 3 ? last.end : whole.end)
      const after = await readJournal(path)
      expect(after, `torn at ${length}`).toEqual({ events: [...survivors, 4].map(n => stored(n)), issues: [] })
    }
  })

  it('is cut also when it is the only one', async () => {
    const path = join(tempDir(), 's.jsonl')
    const { end } = append(path, 1)
    const bytes = readFileSync(path)
    for (let length = 0; length < end - 1; length++) {
      writeFileSync(path, bytes.subarray(0, length))
      append(path, 2)
      expect(await readJournal(path)).toEqual({ events: [stored(2)], issues: [] })
    }
  })

  it.each([10, 70_000, 200_000])('is cut when its fragment is %d bytes long', async size => {
    const path = join(tempDir(), 's.jsonl')
    append(path, 1)
    appendFileSync(path, `{"crc":"00000000","event":{"type":"${'x'.repeat(size)}`)
    append(path, 2)
    expect(await readJournal(path)).toEqual({ events: [stored(1), stored(2)], issues: [] })
  })

  it('is kept when it is whole and longer than one read', async () => {
    const path = join(tempDir(), 's.jsonl')
    const big = stored(1, { filler: 'x'.repeat(200_000) })
    const writer = new JournalWriter(path)
    writer.append([stored(0), big])
    writer.close()
    writeFileSync(path, readFileSync(path).subarray(0, -1))
    append(path, 2)
    expect(await readJournal(path)).toEqual({ events: [stored(0), big, stored(2)], issues: [] })
  })

  it('is not touched by reading: its writer may be at it', async () => {
    const path = join(tempDir(), 's.jsonl')
    append(path, 1, 2)
    const torn = readFileSync(path).subarray(0, -5)
    writeFileSync(path, torn)
    await readJournal(path)
    expect(readFileSync(path)).toEqual(torn)
  })
})

describe('a bad line in the middle', () => {
  it.each([
    ['no JSON', 'rubbish'],
    ['a line of another file', '{"type":"hologram/commit","data":{}}'],
    ['a blank', ' '],
    ['a zeroed page', '\0'.repeat(4096)],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x80])],
  ])('(%s) is an issue with its offset, and reading goes on', async (_, bad) => {
    const path = join(tempDir(), 's.jsonl')
    const { end } = append(path, 1)
    appendFileSync(path, bad)
    appendFileSync(path, '\n')
    append(path, 2)
    expect(await readJournal(path)).toEqual({
      events: [stored(1), stored(2)],
      issues: [{ offset: end, reason: 'not a journal line' }],
    })
  })

  it('is left where it is: nothing in the middle of a journal is ever rewritten', async () => {
    const path = join(tempDir(), 's.jsonl')
    append(path, 1)
    appendFileSync(path, 'rubbish\n')
    const before = readFileSync(path)
    append(path, 2)
    expect(readFileSync(path).subarray(0, before.length)).toEqual(before)
  })
})
