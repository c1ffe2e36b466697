import { afterEach, expect, test } from 'vitest'
import * as hologram from '../../src/plugin/index.ts'
import { bootHost, type Host } from '../support/host.ts'
import { removeTempDirs, tempDir } from '../support/temp.ts'

let host: Host | undefined

afterEach(async () => {
  await host?.stop()
  removeTempDirs()
})

async function boot() {
  const home = tempDir()
  host = await bootHost({ home, commands: true })
  await host.mount(hologram, {})
  const agent = await host.createAgent({ sessionId: 'human', cwd: home })
  const { ctx } = host
  return async (line: string) => {
    const done = await ctx.commands.execute(agent, line, [], new AbortController().signal)
    return done?.result
  }
}

test('/memory adds, finds, explains and forgets', async () => {
  const run = await boot()
  const added = await run('/memory add The gateway of 预发环境 listens on 8443')
  expect(added?.kind).toBe('success')
  const id = /blk_[0-9a-f]{24}/.exec(added?.text ?? '')?.[0]
  expect(id).toBeDefined()
  expect((await run('/memory search 8443'))?.text).toContain('listens on 8443')
  expect((await run(`/memory history ${id}`))?.text).toContain('said by command')
  expect((await run('/memory status'))?.text).toMatch(/^1 memories in 1 namespaces/)
  expect((await run('/memory why'))?.text).toContain('Nothing was recalled')
  expect((await run(`/memory forget ${id}`))?.text).toContain('Forgotten')
  expect((await run('/memory search gateway'))?.text).not.toContain('8443')
})

test('a wrong line is answered with text, never with a crash', async () => {
  const run = await boot()
  expect((await run('/memory'))?.text).toContain('/memory search WORDS')
  expect(await run('/memory dream')).toMatchObject({ kind: 'error', text: expect.stringContaining('no /memory dream') })
  expect(await run('/memory add')).toMatchObject({ kind: 'error', text: expect.stringContaining('needs the fact') })
  expect(await run('/memory forget blk_nope')).toMatchObject({
    kind: 'error',
    text: expect.stringContaining('does not exist'),
  })
  expect((await run('/memory history blk_nope'))?.text).toContain('No event')
})

test('what a human adds is not repeated in the record of the command', async () => {
  const run = await boot()
  await run('/memory add synthetic words 4711')
  const events = host?.ctx.sessions.list()[0]?.events ?? []
  const commands = events.filter(event => event.type === 'command/run')
  expect(commands.length).toBe(1)
  expect(JSON.stringify(commands)).not.toContain('4711')
})
