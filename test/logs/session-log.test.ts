import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { removeTempDirs, tempDir } from '../support/temp.ts'
import { frame, HEADER, readBytes, readLog, sessionLine, stored } from './samples.ts'

afterEach(removeTempDirs)

const FOREIGN = sessionLine({ type: 'turn/start', seq: 0, data: { turn: 1 } })
const PACKED = `${JSON.stringify({
  type: 'text-chunks',
  seq0: 2,
  time0: 1,
  data: { turn: 1, step: 1, index: 0, dt: [1, 1], texts: ['we talk ', 'about hologram/', 'commit'] },
})}\n`

describe.each(['none', 'zstd'] as const)('a stored log (%s)', compression => {
  const read = (...parts: string[]) =>
    readBytes(compression === 'zstd' ? Buffer.concat(parts.map(frame)) : parts.join(''), compression)

  it('gives our events in log order with their seqs, and nothing of others', async () => {
    const log = [HEADER, FOREIGN, sessionLine(stored(1)), PACKED, sessionLine(stored(5)) + FOREIGN]
    expect(await read(...log)).toEqual({ events: [stored(1), stored(5)], issues: [] })
  })

  it.each(['hologram/commit', 'plugin:hologram/commit', 'plugin:dsh-hologram/commit', 'hologram/of-a-newer-version'])(
    'gives events named %s as they stand, to be judged by who reads them',
    async type => {
      const event = { type, seq: 3, data: { any: [1, null] } }
      expect((await read(HEADER, sessionLine(event))).events).toEqual([event])
    },
  )

  it.each(['', '{"type":"session","version":99,"id":"s"}\n', '{"no":"header"}\n', 'rubbish\n'])(
    'a header that a host refuses, %j, is no obstacle',
    async header => {
      expect(await read(header + sessionLine(stored(0)))).toEqual({ events: [stored(0)], issues: [] })
    },
  )

  it('garbage lines of others are passed over', async () => {
    const garbage = ['rubbish\n', '{"type":"turn/start"\n', '\n', '\0\0\n', '[1,2]\n', 'null\n']
    expect(await read(HEADER, ...garbage, sessionLine(stored(1)))).toEqual({ events: [stored(1)], issues: [] })
  })

  it('a garbage line of ours is an issue with its offset, and reading goes on', async () => {
    const garbage = '{"type":"hologram/commit","seq":1,"data":{"te\n'
    expect(await read(HEADER, sessionLine(stored(0)), garbage, sessionLine(stored(2)))).toEqual({
      events: [stored(0), stored(2)],
      issues: [
        {
          offset: HEADER.length + Buffer.byteLength(sessionLine(stored(0))),
          reason: 'a line of ours is not valid JSON',
        },
      ],
    })
  })

  it('what others say about us is not ours', async () => {
    const talk = sessionLine({ type: 'user/message', seq: 1, data: { text: 'what is "type":"hologram/commit"?' } })
    const nested = sessionLine({ type: 'tool/result', seq: 2, data: { type: 'hologram/commit', seq: 9, data: {} } })
    expect(await read(HEADER, talk, nested, '["hologram/commit"]\n', '"hologram/commit"\n')).toEqual({
      events: [],
      issues: [],
    })
  })

  it('a seq that is no number is left out, the event is not', async () => {
    const event = { type: 'hologram/commit', data: { n: 1 } }
    expect((await read(HEADER, sessionLine({ ...event, seq: 'x' }))).events).toEqual([event])
  })

  it('a log that is gone is an issue, not the end of reading others', async () => {
    const gone = await readLog(join(tempDir(), 'session.jsonl'), compression)
    expect(gone.events).toEqual([])
    expect(gone.issues).toEqual([{ offset: 0, reason: expect.stringContaining('ENOENT') }])
  })

  it('an empty log has nothing in it', async () => {
    expect(await readBytes('', compression)).toEqual({ events: [], issues: [] })
  })
})

describe('a torn last line', () => {
  it('cut at any byte is left out, even when only its line end is missing', async () => {
    const whole = HEADER + sessionLine(stored(0))
    const bytes = Buffer.from(whole + sessionLine(stored(1)))
    for (let length = Buffer.byteLength(whole); length < bytes.length; length++) {
      expect(await readBytes(bytes.subarray(0, length)), `cut at ${length}`).toEqual({
        events: [stored(0)],
        issues: [],
      })
    }
    expect((await readBytes(bytes)).events).toEqual([stored(0), stored(1)])
  })
})

describe('long lines', () => {
  it('a line longer than any read is put together, also across frames', async () => {
    const event = stored(1, { filler: '端'.repeat(300_000) })
    const line = Buffer.from(sessionLine(event))
    expect((await readBytes(line)).events).toEqual([event])
    const cuts = [line.subarray(0, 7), line.subarray(7, 500_001), line.subarray(500_001)]
    expect((await readBytes(Buffer.concat(cuts.map(frame)), 'zstd')).events).toEqual([event])
  })
})
