/** Case 37 at a tenth of its size (all of it: `bench/write`): a large log is streamed, so memory does not grow with it. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { zstdCompressSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { readSessionLog } from '../../src/logs/session-log.ts'
import { commit } from '../support/events.ts'
import { removeTempDirs, tempDir } from '../support/temp.ts'
import { HEADER, sessionLine } from './samples.ts'

afterAll(removeTempDirs)

// What is no longer held counts until it is collected.
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const EVENTS = 12_000
/** One in so many is ours. */
const OURS = 100
/** Events of one flush, which is a frame of a compressed log. */
const FLUSH = 100
const WORDS = 'the staging port is 8080, '.repeat(200)

/** 60 MB of what a model said, with ours between. */
function largeLog(compression: 'none' | 'zstd'): string {
  const path = join(tempDir(), 'session.jsonl')
  const file = openSync(path, 'w')
  const write = (text: string) => writeSync(file, compression === 'zstd' ? zstdCompressSync(text) : Buffer.from(text))
  write(HEADER)
  for (let seq = 0; seq < EVENTS; seq += FLUSH) {
    write(Array.from({ length: FLUSH }, (_, n) => eventAt(seq + n)).join(''))
  }
  closeSync(file)
  return path
}

function eventAt(seq: number): string {
  if (seq % OURS === OURS - 1) return sessionLine({ ...commit(seq, `fact ${seq}`), seq, time: 1, ignorable: true })
  return sessionLine({ type: 'assistant/text', seq, time: 1, data: { text: `${seq} ${WORDS}` } })
}

describe.each(['none', 'zstd'] as const)('a log of 60 MB, compression %s', compression => {
  it('is read event by event, with no more of it in memory than a few reads', async () => {
    const path = largeLog(compression)
    const held = () => {
      collectGarbage()
      return process.memoryUsage().arrayBuffers
    }
    const before = held()
    let [events, most] = [0, 0]
    for await (const { kind } of readSessionLog({ path, compression })) {
      expect(kind).toBe('event')
      events += 1
      if (events % 10 === 0) most = Math.max(most, held() - before)
    }
    expect(events).toBe(EVENTS / OURS)
    expect(most).toBeLessThan(20e6)
  })
})
