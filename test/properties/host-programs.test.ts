/** Law 1 on the real host: whatever agents of several sessions, forks and workspaces do, live is rebuilt. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent } from '@deepseek-ai/dsh-agent'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { isCommandRefused } from '../../src/commands/index.ts'
import { blockId } from '../../src/events/index.ts'
import * as plugin from '../../src/plugin/index.ts'
import { Store } from '../../src/readmodels/worker/store.ts'
import { withoutTexts } from '../support/dumps.ts'
import { runs, TEXTS } from '../support/events.ts'
import { bootHost, type Host } from '../support/host.ts'
import { startModelServer } from '../support/model-server.ts'
import { removeTempDirs, tempDir } from '../support/temp.ts'
import { shuffled } from './shuffled.ts'
import {
  answersOf,
  closeAll,
  dumpOfStore,
  eventsInJournal,
  eventsInLogs,
  foldedFrom,
  keep,
  rebuild,
} from './sources.ts'

afterAll(removeTempDirs)

const QUESTIONS = ['what is the staging port?', 'what does ERR_CONN_42 mean?', '测试环境 端口'] as const
const SAYABLE = TEXTS.filter(text => text.trim() !== '' && !text.includes('\0'))
const WORKSPACES = ['alpha', 'beta'] as const

const arbText = fc.constantFrom(...SAYABLE)
const arbAction = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('commit' as const), text: arbText, scene: fc.constantFrom('', 'ops') }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('turn' as const), text: fc.constantFrom(...QUESTIONS) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fork' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('resume' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('purge' as const), text: arbText, everywhere: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('link' as const, 'unlink' as const, 'merge' as const),
      everywhere: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('outside' as const), text: arbText }) },
)
type Action = typeof arbAction extends fc.Arbitrary<infer T> ? T : never
const arbProgram = fc.record({
  steps: fc.array(fc.record({ who: fc.nat({ max: 9 }), action: arbAction }), {
    minLength: 12,
    maxLength: 16,
    size: 'max',
  }),
  compression: fc.constantFrom('zstd' as const, 'none' as const),
  seed: fc.nat(),
})

/** What agents of one host do, in turn. */
class Agents {
  private readonly host: Host
  private readonly home: string
  private readonly agents: Agent[] = []
  private named = 0

  constructor(host: Host, home: string) {
    this.host = host
    this.home = home
  }

  async begin(): Promise<void> {
    for (const workspace of WORKSPACES) await this.add(join(this.home, workspace))
  }

  /** Whatever came before: a recall that is injected, in a session that did not say what it brings. */
  async end(): Promise<void> {
    const [first] = this.agents
    if (first === undefined) return
    await this.act(0, { do: 'commit', text: TEXTS[6], scene: '' })
    await this.add(first.session.header.cwd ?? this.home)
    await this.act(this.agents.length - 1, { do: 'turn', text: QUESTIONS[1] })
  }

  async act(who: number, action: Action): Promise<void> {
    const memory = this.host.ctx.stablemem
    const at = who % this.agents.length
    const agent = this.agents[at]
    if (agent === undefined) return
    const { session } = agent
    switch (action.do) {
      case 'commit':
        await memory.commit({ text: action.text, scene: action.scene }, { session })
        return
      case 'outside':
        await memory.commit({ text: action.text })
        return
      case 'turn':
        await this.host.runTurn(agent, action.text)
        return
      case 'purge': {
        const { id } = await memory.commit({ text: action.text }, { session })
        const { everywhere } = action
        await memory.purge({ ids: [id], reason: 'asked to', everywhere }, { session })
        return
      }
      case 'link':
      case 'unlink':
      case 'merge': {
        const [keep, drop] = [TEXTS[0], TEXTS[3]].map(blockId) as [string, string]
        for (const text of [TEXTS[0], TEXTS[3]]) await memory.commit({ text }, { session })
        const edge = { sourceKind: 'block', sourceId: drop, targetKind: 'block', targetId: keep, type: 'near' } as const
        const { everywhere } = action
        const acts = {
          link: () => memory.link(edge, { session }),
          // There is nothing to end before there is an edge.
          unlink: () => memory.link(edge, { session }).then(() => memory.unlink(edge, { session })),
          merge: () => memory.merge({ keep, drop, everywhere }, { session }),
        }
        // Once they are merged, neither an edge between them nor merging them again makes sense.
        await acts[action.do]().catch((error: unknown) => {
          if (!isCommandRefused(error)) throw error
        })
        return
      }
      case 'fork':
        await this.add(session.header.cwd ?? this.home, agent)
        return
      case 'resume':
        // A session in which nothing happened is not stored.
        if (session.seq === 0) return
        await this.host.flush(agent)
        await this.host.disposeAgent(agent)
        this.agents[at] = await this.host.resumeAgent(session.id)
    }
  }

  private async add(cwd: string, parent?: Agent): Promise<void> {
    mkdirSync(cwd, { recursive: true })
    this.named += 1
    const fork =
      parent === undefined
        ? {}
        : { parentSession: parent.session.id, seed: parent.session.events, seedLength: parent.session.seq }
    this.agents.push(await this.host.createAgent({ sessionId: `s${this.named}`, cwd, ...fork }))
  }
}

it('the memory of a host is one, byte for byte and answer for answer, however it is read back', async () => {
  const server = await startModelServer()
  let recalls = 0
  try {
    await fc.assert(
      fc.asyncProperty(arbProgram, async ({ steps, compression, seed }) => {
        const home = tempDir()
        const host = await bootHost({ home, model: server.baseURL, compression })
        try {
          await host.mount(plugin, {})
          const agents = new Agents(host, home)
          await agents.begin()
          for (const { who, action } of steps) await agents.act(who, action)
          await agents.end()
        } finally {
          await host.stop()
        }
        const journal = join(home, 'hologram', 'journal')
        const sources = { sessions: host.sessionsRoot, journal }
        const live = keep(new Store({ path: join(home, 'hologram', 'memory.db'), journal, keepJournal: true }))
        // The text of the last turns may not have been handed over before the host ended; the next start reads it.
        await live.catchUp([sources.sessions])
        const [memory, answers] = [dumpOfStore(live), answersOf(live, QUESTIONS)]
        recalls += live.database.prepare<[], number>('SELECT count(*) FROM recalls').pluck().get() ?? 0

        expect(memory).toContain('["page part"')
        const both = await rebuild(sources, 'both')
        expect(dumpOfStore(both)).toBe(memory)
        expect(answersOf(both, QUESTIONS, true)).toEqual(answersOf(live, QUESTIONS, true))
        const fromJournal = await rebuild(sources, 'journal')
        expect(dumpOfStore(fromJournal)).toBe(withoutTexts(memory))
        expect(answersOf(fromJournal, QUESTIONS)).toEqual(answers)
        const inLogs = await eventsInLogs(sources)
        expect(withoutTexts(dumpOfStore(await rebuild(sources, 'logs')))).toBe(
          dumpOfStore(foldedFrom(shuffled(inLogs, seed))),
        )
        const everywhere = [...inLogs, ...(await eventsInJournal(sources))]
        const anyhow = foldedFrom(shuffled([...everywhere, ...everywhere], seed))
        expect(dumpOfStore(anyhow)).toBe(withoutTexts(memory))
        expect(answersOf(anyhow, QUESTIONS)).toEqual(answers)
        // Only what was said outside of any session is not in a log.
        const ids = new Set(inLogs.map(({ data }) => (data as { id: string }).id))
        const missing = everywhere.filter(({ data }) => !ids.has((data as { id: string }).id))
        expect(missing.every(({ data }) => (data as { at: { session?: string } }).at.session === undefined)).toBe(true)
        closeAll()
      }),
      (given => ({ ...given, numRuns: Math.min(given.numRuns, 20) }))(runs(4)),
    )
  } finally {
    await server.close()
  }
  expect(recalls).toBeGreaterThan(0)
}, 180_000)
