/** The test host itself: that it is the real thing end to end, and leaves nothing behind. */
import { afterEach, describe, expect, it } from 'vitest'
import { bootHost, type Host, RUNTIME_CONTEXT } from '../support/host.ts'
import { readStoredEvents, removeTempDirs, stockOpen, storedSessionIds, tempDir } from '../support/logs.ts'
import { type ModelServer, OUT_OF_SCRIPT, startModelServer, textsOf } from '../support/model-server.ts'
import { TEST_SKILL } from '../support/skills.ts'

let host: Host | undefined
let server: ModelServer | undefined

afterEach(async () => {
  await host?.stop()
  await server?.close()
  host = undefined
  server = undefined
  removeTempDirs()
})

describe('the test host', () => {
  it('runs a real turn: the model gets system prompt, user words and runtime context', async () => {
    server = await startModelServer([{ text: 'hello' }])
    host = await bootHost({ home: tempDir(), model: server.baseURL })
    const agent = await host.createAgent({ sessionId: 's', cwd: host.home })
    const events = await host.runTurn(agent, 'hi')
    expect(events.map(event => event.type)).toContain('assistant/message')
    const users = textsOf(server.last(), 'user')
    expect(users[0]).toBe('hi')
    expect(users[1]).toContain(RUNTIME_CONTEXT)
    expect(host.logs).toEqual([])
  })

  it('appends a skill catalogue when asked to', async () => {
    server = await startModelServer()
    host = await bootHost({ home: tempDir(), model: server.baseURL, skills: true })
    const agent = await host.createAgent({ sessionId: 's', cwd: host.home })
    const events = await host.runTurn(agent, 'hi')
    const kinds = events.flatMap(event => (event.type === 'user/message' ? [event.data.source.kind] : []))
    expect(kinds).toEqual(['user', 'plugin', 'skill-catalog'])
    expect(textsOf(server.last(), 'user').join('\n')).toContain(TEST_SKILL.description)
  })

  it('runs several tool calls in one step and answers functions of the request', async () => {
    server = await startModelServer([
      {
        toolCalls: [
          { name: 'no_such_tool', arguments: { a: 1 } },
          { name: 'nor_this', arguments: '{}' },
        ],
      },
      request => ({ text: `tools said: ${textsOf(request, 'tool').join(' | ')}` }),
    ])
    host = await bootHost({ home: tempDir(), model: server.baseURL })
    const agent = await host.createAgent({ sessionId: 's', cwd: host.home })
    const events = await host.runTurn(agent, 'use tools')
    expect(events.filter(event => event.type === 'tool/call')).toHaveLength(2)
    const text = JSON.stringify(events.findLast(event => event.type === 'assistant/message')?.data)
    expect(text).toContain('no_such_tool')
    expect(text).toContain('nor_this')
    await host.runTurn(agent, 'more')
    expect(JSON.stringify(agent.session.events.findLast(event => event.type === 'assistant/message'))).toContain(
      OUT_OF_SCRIPT,
    )
  })

  it('flushes on stop, reopens, resumes, and stores what was live', async () => {
    server = await startModelServer()
    const home = tempDir()
    host = await bootHost({ home, model: server.baseURL, compression: 'none' })
    const agent = await host.createAgent({ sessionId: 'kept', cwd: home, origin: 'subagent', delegationDepth: 1 })
    await host.runTurn(agent, 'hi')
    const live = agent.session.events
    await host.stop()
    expect(storedSessionIds(host.sessionsRoot)).toEqual(['kept'])
    expect(await readStoredEvents(host.sessionsRoot, 'kept')).toEqual(live)
    const opening = await stockOpen(host.sessionsRoot, 'none', 'kept')
    expect(opening).toMatchObject({ ok: true, header: { origin: 'subagent', delegationDepth: 1 } })

    host = await bootHost({ home, model: server.baseURL, compression: 'none' })
    const resumed = await host.resumeAgent('kept')
    await host.runTurn(resumed, 'and again')
    expect(textsOf(server.last(), 'user')).toContain('and again')
    expect(textsOf(server.last(), 'user')).toContain('hi')
  })

  it('survives a hot reload of persistence under a live session', async () => {
    server = await startModelServer()
    const home = tempDir()
    host = await bootHost({ home, model: server.baseURL })
    const agent = await host.createAgent({ sessionId: 's', cwd: home })
    await host.runTurn(agent, 'one')
    await host.persistenceFiber?.restart()
    await host.runTurn(agent, 'two')
    const live = agent.session.events
    await host.stop()
    expect(await readStoredEvents(host.sessionsRoot, 's')).toEqual(live)
    expect(host.logs).toEqual([])
  })

  it('says which service a plugin is waiting for', async () => {
    host = await bootHost({ home: tempDir(), persistence: false })
    const plugin = { name: 'needy', inject: ['noSuchService'], apply: () => {} }
    await expect(host.mount(plugin)).rejects.toThrow('noSuchService')
  })

  it('restores the environment it borrowed', async () => {
    const before = process.env.DSH_HOME
    const other = await bootHost({ home: tempDir() })
    expect(process.env.DSH_HOME).toBe(other.home)
    await other.stop()
    await other.stop()
    expect(process.env.DSH_HOME).toBe(before)
  })
})
