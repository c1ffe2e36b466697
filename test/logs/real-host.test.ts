/** The reader against logs that the real host wrote: what we read is what a host that opens the log holds of ours. */
import { readFileSync, writeFileSync } from 'node:fs'
import { Context } from '@deepseek-ai/cordis'
import { type Session, type SessionEvent, SessionId, SessionStore } from '@deepseek-ai/dsh-session'
import { JsonlSessionPersistence } from '@deepseek-ai/dsh-session-persistence-jsonl'
import { afterEach, describe, expect, it } from 'vitest'
import { isOurs, type StoredEvent } from '../../src/events/index.ts'
import { listSessionLogs, readSessionLog, type SessionLogFile } from '../../src/logs/index.ts'
import { findCarrier } from '../../src/plugin/host/carrier/index.ts'
import { commit, eventId, recall, space } from '../events/samples.ts'
import { bootHost, type Host } from '../support/host.ts'
import { readStoredEvents, readStoredText, removeTempDirs, tempDir } from '../support/logs.ts'
import { collect, eventsIn, readLog } from './samples.ts'

let host: Host | undefined

afterEach(async () => {
  await host?.stop()
  host = undefined
  removeTempDirs()
})

const { carrier } = findCarrier()

/** A session as it goes: streamed answers, and memory events between and beside them, over several writes to disk. */
async function talk(booted: Host, id: string): Promise<Session> {
  const agent = await booted.createAgent({ sessionId: id, cwd: booted.home })
  const { session } = agent
  const chunks = (turn: number) => {
    for (const text of ['hologram/', 'commit ', '端口 ', '8080 ', 'hologram/']) {
      session.append('assistant/chunk', { turn, step: 1, chunk: { type: 'text-delta', index: 0, text } })
    }
  }
  session.append('turn/start', { turn: 1 })
  carrier?.append(session, 'space', space())
  chunks(1)
  carrier?.append(session, 'commit', commit({ text: '端口 8080 \ud83d "q"\n' }))
  chunks(1)
  await booted.flush(agent)
  carrier?.append(session, 'recall', recall({ id: eventId(7) }))
  session.append('turn/end', { turn: 1, reason: { kind: 'completed' } })
  await booted.flush(agent)
  session.append('turn/start', { turn: 2 })
  chunks(2)
  carrier?.append(session, 'commit', commit({ id: eventId(8), text: 'the last word' }))
  await booted.flush(agent)
  return session
}

function ours(events: readonly SessionEvent[]): StoredEvent[] {
  return events.filter(event => isOurs(event.type)).map(({ type, data, seq }) => ({ type, data, seq }))
}

async function onlyLog(root: string): Promise<SessionLogFile> {
  const logs = await collect(listSessionLogs(root))
  const [log] = logs
  if (log === undefined || logs.length !== 1) throw new Error(`${logs.length} logs under ${root}`)
  return log
}

/** The events of a stored session as a host would resume it, torn tails decided as it decides them. */
async function resumed(root: string, compression: 'zstd' | 'none', id: string): Promise<readonly SessionEvent[]> {
  const ctx = new Context()
  try {
    await ctx.plugin(SessionStore)
    await ctx.plugin(JsonlSessionPersistence, { root, compression })
    return (await ctx.sessionPersistence.inspect(SessionId(id))).events
  } finally {
    await ctx.fiber.dispose()
  }
}

describe.each(['zstd', 'none'] as const)('a session the real host stored (%s)', compression => {
  it('is found under its root, and gives our events as they were live', async () => {
    host = await bootHost({ home: tempDir(), compression })
    const live = ours((await talk(host, 'talk')).events)
    await host.stop()
    expect(live).toHaveLength(4)

    const log = await onlyLog(host.sessionsRoot)
    expect(log.compression).toBe(compression)
    expect(eventsIn(await collect(readSessionLog(log)))).toEqual(live)
    expect(ours(await readStoredEvents(host.sessionsRoot, 'talk'))).toEqual(live)
    // the log is of the kind this is about: chunk rows packed, some of them naming us
    expect(await readStoredText(host.sessionsRoot, 'talk')).toMatch(/"type":"text-chunks".*hologram\//)
  })

  it('is read while the host still has it open', async () => {
    host = await bootHost({ home: tempDir(), compression })
    const session = await talk(host, 'talk')
    expect((await readLog((await onlyLog(host.sessionsRoot)).path, compression)).events).toEqual(ours(session.events))
  })

  it('torn anywhere, gives exactly what the host keeps of ours when it resumes the session', async () => {
    host = await bootHost({ home: tempDir(), compression })
    await talk(host, 'talk')
    await host.stop()
    const { path } = await onlyLog(host.sessionsRoot)
    const bytes = readFileSync(path)
    const counts = new Set<number>()
    for (let length = bytes.length; length > bytes.length / 2; length -= length > bytes.length - 12 ? 1 : 29) {
      writeFileSync(path, bytes.subarray(0, length))
      const read = await readLog(path, compression)
      expect(read, `cut at ${length} of ${bytes.length}`).toEqual({
        events: ours(await resumed(host.sessionsRoot, compression, 'talk')),
        issues: [],
      })
      counts.add(read.events.length)
    }
    // the cuts went through an event of ours, not only around them
    expect(counts.size).toBeGreaterThan(1)
  })
})

it('a log with a header of a format the host refuses, still gives our events', async () => {
  host = await bootHost({ home: tempDir(), compression: 'none' })
  const live = ours((await talk(host, 'talk')).events)
  await host.stop()
  const { path } = await onlyLog(host.sessionsRoot)
  const refused = readFileSync(path, 'utf8').replace('"version":0', '"version":99')
  writeFileSync(path, refused)
  await expect(resumed(host.sessionsRoot, 'none', 'talk')).rejects.toThrow(/version|format/i)
  expect(await readLog(path, 'none')).toEqual({ events: live, issues: [] })
})
