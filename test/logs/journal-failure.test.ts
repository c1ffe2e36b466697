/** Failing appends, by a file system that is told to fail and by a real one that is full. */
import { spawnSync } from 'node:child_process'
import type fs from 'node:fs'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { JournalWriter } from '../../src/logs/index.ts'
import { removeTempDirs, tempDir } from '../support/temp.ts'
import { readJournal, stored } from './samples.ts'

type Call = 'writeSync' | 'fsyncSync' | 'ftruncateSync'

/** What fails once; a disk that fails on demand cannot be had otherwise. */
const failing = vi.hoisted(() => new Map<string, number>())

vi.mock('node:fs', async importOriginal => {
  const real = await importOriginal<typeof fs>()
  const wrap = (call: Call) => {
    const run = real[call] as (...args: unknown[]) => unknown
    return (...args: unknown[]): unknown => {
      const left = failing.get(call)
      if (left === undefined) return run(...args)
      if (left > 0) {
        failing.set(call, left - 1)
        // a disk that is nearly full writes a part of what it was given
        if (call === 'writeSync') return run(args[0], args[1], args[2], Math.min(Number(args[3]), 20), args[4])
        return run(...args)
      }
      throw Object.assign(new Error(`${call} failed`), { code: 'EIO' })
    }
  }
  return { ...real, writeSync: wrap('writeSync'), fsyncSync: wrap('fsyncSync'), ftruncateSync: wrap('ftruncateSync') }
})

afterEach(() => {
  failing.clear()
  removeTempDirs()
})

function failingWriter(...calls: ReadonlyArray<readonly [Call, number]>): JournalWriter {
  const writer = new JournalWriter(join(tempDir(), 's.jsonl'))
  writer.append([stored(1)])
  for (const [call, after] of calls) failing.set(call, after)
  return writer
}

describe('an append that fails', () => {
  it.each([
    ['at its first write', [['writeSync', 0]]],
    ['half way through a line', [['writeSync', 2]]],
    ['in the second line of its group', [['writeSync', 8]]],
    ['at fsync, with all bytes written', [['fsyncSync', 0]]],
  ] as const)('%s leaves the stream as it was, and the next one is whole', async (_, calls) => {
    const writer = failingWriter(...calls)
    const before = readFileSync(writer.path)
    expect(() => writer.append([stored(2), stored(3)])).toThrow(`${calls[0][0]} failed`)
    expect(readFileSync(writer.path)).toEqual(before)
    failing.clear()
    writer.append([stored(4)])
    writer.close()
    expect(await readJournal(writer.path)).toEqual({ events: [stored(1), stored(4)], issues: [] })
  })

  it('and cannot be taken back either, says what failed first, and is cut before the next append', async () => {
    const writer = failingWriter(['writeSync', 2], ['ftruncateSync', 0])
    expect(() => writer.append([stored(2)])).toThrow('writeSync failed')
    failing.clear()
    writer.append([stored(3)])
    writer.close()
    expect(await readJournal(writer.path)).toEqual({ events: [stored(1), stored(3)], issues: [] })
  })

  it('because an event is no JSON writes nothing', async () => {
    const writer = failingWriter()
    const before = readFileSync(writer.path)
    expect(() => writer.append([stored(2), { type: 'hologram/commit', data: 1n }])).toThrow(TypeError)
    expect(readFileSync(writer.path)).toEqual(before)
    writer.close()
  })
})

it('a file that may not grow keeps whole lines only (a real limit)', async () => {
  const path = join(tempDir(), 's.jsonl')
  const writerUrl = new URL('../../src/logs/journal-writer.ts', import.meta.url).href
  const script = `
    import { JournalWriter } from ${JSON.stringify(writerUrl)}
    const writer = new JournalWriter(${JSON.stringify(path)})
    let acknowledged = 0
    try {
      for (;;) {
        writer.append([{ type: 'hologram/commit', seq: acknowledged, data: { filler: 'x'.repeat(300) } }])
        acknowledged += 1
      }
    } catch (error) {
      console.log(acknowledged, error.code)
    }`
  // the shell counts in blocks of 512 or 1024 bytes; either limit falls inside a line
  const shell = 'ulimit -f 4; exec "$0" --input-type=module -e "$1"'
  const child = spawnSync('/bin/sh', ['-c', shell, process.execPath, script], { encoding: 'utf8' })
  const [acknowledged, code] = child.stdout.trim().split(' ')
  expect(code, child.stderr).toBe('EFBIG')
  expect(Number(acknowledged)).toBeGreaterThan(2)
  const bytes = readFileSync(path)
  expect(bytes.at(-1)).toBe(10)
  const read = await readJournal(path)
  expect(read.issues).toEqual([])
  expect(read.events.map(event => event.seq)).toEqual(Array.from({ length: Number(acknowledged) }, (_, n) => n))
})
