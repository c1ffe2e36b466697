/** Sessions of the real host with events of ours in every place they can get into, and what is compared of them. */
import { cpSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import { type Agent, foldConsumedWork, Inbox } from '@deepseek-ai/dsh-agent'
import { createUserMessage, type UserMessage } from '@deepseek-ai/dsh-llm'
import { Session, type SessionEvent, type SessionHeader, SessionId, SessionStore } from '@deepseek-ai/dsh-session'
import { type JsonlCompression, JsonlSessionPersistence } from '@deepseek-ai/dsh-session-persistence-jsonl'
import { afterEach } from 'vitest'
import { isOurs, type PayloadOf, type Verb } from '../../../src/events/index.ts'
import { type DetachRequest, detach, type SessionResult } from '../../../src/logs/detach/index.ts'
import { listSessionLogs, type SessionLogFile } from '../../../src/logs/index.ts'
import { findCarrier } from '../../../src/plugin/host/carrier/index.ts'
import { recallSource } from '../../../src/plugin/host/sources.ts'
import { commit, eventId, recall, space } from '../../events/samples.ts'
import { bootHost, type Host } from '../../support/host.ts'
import { removeTempDirs, tempDir } from '../../support/logs.ts'
import { type ModelServer, startModelServer } from '../../support/model-server.ts'
import { collect } from '../samples.ts'

const hosts: Host[] = []
const servers: ModelServer[] = []

afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop()
  for (const server of servers.splice(0)) await server.close()
  removeTempDirs()
})

export async function boot(
  compression: JsonlCompression,
  sessionsRoot?: string,
): Promise<{ host: Host; server: ModelServer }> {
  const server = await startModelServer()
  servers.push(server)
  const host = await bootHost({
    home: tempDir(),
    compression,
    model: server.baseURL,
    ...(sessionsRoot === undefined ? {} : { sessionsRoot }),
  })
  hosts.push(host)
  return { host, server }
}

const { carrier } = findCarrier()

export function put<V extends Verb>(session: Session, verb: V, payload: PayloadOf<V>): void {
  if (carrier === undefined) throw new Error('this host has no carrier')
  carrier.append(session, verb, payload)
}

export function words(text: string): UserMessage {
  return createUserMessage({ content: [{ type: 'text', text }], source: { kind: 'user' } })
}

/**
 * Three turns with a tool call, streamed and packed chunks, a queued message and a recall message, and events of ours
 * before, between and after all of it. At the end messages are pending in the inbox, with an event of ours among them.
 */
export async function busySession(host: Host, server: ModelServer, id: string): Promise<Agent> {
  const agent = await host.createAgent({ sessionId: id, cwd: host.home })
  const { session } = agent
  let n = 0
  const next = () => {
    n += 1
    return { id: eventId(n), clock: n }
  }
  const say = () => put(session, 'commit', commit({ ...next(), text: `端口 ${n} 😀 "q"\n` }))
  const off = host.ctx.on(
    'agent/pre-step',
    async (_, onward) => {
      say()
      const decision = await onward()
      if (decision.kind !== 'enter' || decision.messages.length === 0) return decision
      const message = createUserMessage({ content: [{ type: 'text', text: 'recalled' }], source: recallSource() })
      put(session, 'recall', recall({ ...next(), message: message.id }))
      return { ...decision, messages: [...decision.messages, message] }
    },
    { prepend: true },
  )
  const stream = (step: number) => {
    for (const text of ['hologram/', 'commit ', '端口 ', '8080']) {
      session.append('assistant/chunk', { turn: 1, step, chunk: { type: 'text-delta', index: 0, text } })
    }
  }
  server.push(
    () => {
      stream(1)
      say()
      stream(1)
      agent.followup(words('one more thing'))
      say()
      return { toolCalls: [{ name: 'no_such_tool', arguments: { a: 'hologram/commit' } }] }
    },
    { text: 'the first answer' },
    { text: 'the second answer' },
    { text: 'the third answer' },
  )
  put(session, 'space', space(next()))
  await host.runTurn(agent, 'hello')
  await host.flush(agent)
  await host.runTurn(agent, 'and now?')
  off()
  agent.inbox.append('next-turn', words('later'))
  say()
  agent.inbox.append('next-step', words('sooner'))
  say()
  agent.inbox.append('next-turn', words('last'))
  await host.flush(agent)
  return agent
}

/** The sessions as a host leaves them that is killed now, below a home of their own. A host that stops cancels what is pending. */
export function killed(host: Host): string {
  const root = join(tempDir(), 'sessions')
  cpSync(host.sessionsRoot, root, { recursive: true })
  return root
}

/** What a host makes of a log, apart from the events themselves: what the model sees, what is pending, what is owed. */
export function derived(events: readonly SessionEvent[], header?: SessionHeader): object {
  const session = Session.create(SessionId(header?.id ?? 'derived'), events, header)
  const quiet = { inserted: () => {}, discarded: () => {}, claimed: () => {} }
  const inbox = new Inbox(session, quiet)
  return {
    messages: session.deriveMessages(),
    surface: [...session.surface.nodes],
    generation: session.surface.replaceGeneration,
    header: session.requestHeader(),
    context: session.requestContext(),
    nextTurn: inbox.nextTurn,
    nextStep: inbox.nextStep,
    work: foldConsumedWork(events),
    seq: session.seq,
  }
}

/** A stored session as a host without our plugin reads it, nothing repaired or added. */
export async function inspect(root: string, compression: JsonlCompression, id: string) {
  const ctx = new Context()
  try {
    await ctx.plugin(SessionStore)
    await ctx.plugin(JsonlSessionPersistence, { root, compression })
    return await ctx.sessionPersistence.inspect(SessionId(id))
  } finally {
    await ctx.fiber.dispose()
  }
}

export const NOOP = { target: 'next-turn', start: 0, inserted: [] }

/** The events as they must be after detaching. */
export function withoutOurs(events: readonly SessionEvent[]): object[] {
  return events.map(event => {
    const { type, seq, time } = event
    return isOurs(type) ? { type: 'agent/inbox/spliced', seq, time, data: NOOP } : event
  })
}

export function logsOf(root: string): Promise<SessionLogFile[]> {
  return collect(listSessionLogs(root))
}

/** Makes logs as old as if the host had been stopped for an hour. */
export async function rest(root: string): Promise<void> {
  const then = Date.now() / 1_000 - 3_600
  for (const { path } of await logsOf(root)) utimesSync(path, then, then)
}

/** A machine on which no host runs. */
export const QUIET = { places: { home: '', paths: [] }, findHosts: async () => [] }

/** Detaches one folder of sessions whose host is stopped, journal beside it. */
export async function apply(root: string, over: Partial<DetachRequest> = {}): Promise<SessionResult[]> {
  await rest(root)
  return detach({ roots: [root], journal: join(root, '..', 'journal'), apply: QUIET, ...over })
}

/** Cuts bytes off the end of a file. */
export function cut(path: string, bytes: number): void {
  const whole = readFileSync(path)
  writeFileSync(path, whole.subarray(0, whole.length - bytes))
}
