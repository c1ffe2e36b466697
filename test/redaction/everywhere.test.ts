/**
 * Case 16 as it is met: a secret comes by tool, in what a human and a model say, in a question, and with an old database. It
 * is in no file of ours, no event of ours and no request for a vector; what only looks like one stays byte for byte.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { blockId } from '../../src/events/index.ts'
import { Machine } from '../cli/import-export.ts'
import { agentIn, oursIn, rig } from '../plugin/rig.ts'
import { callTool } from '../plugin/tools/call.ts'
import { oldDatabase } from '../readmodels/legacy/old-databases.ts'
import { DIMENSION, embeddingService } from '../support/embedding-service.ts'
import { readStoredEvents } from '../support/logs.ts'
import { BASIC, JWT, pem, run } from './made.ts'

/** A text, what must not be left of it, and what that is called. */
const MUST_REDACT: ReadonlyArray<readonly [text: string, secret: string, kind: string]> = [
  ['my key is sk-TESTTESTTESTTESTTESTTEST1234', 'sk-TESTTESTTESTTESTTESTTEST1234', 'openai_key'],
  ['Authorization: Bearer eyJhbGciOiJub25lIn0.e30.x', 'eyJhbGciOiJub25lIn0.e30.x', 'bearer'],
  ['-----BEGIN PRIVATE KEY-----\\nMIIB\\n-----END PRIVATE KEY-----', 'MIIB', 'pem'],
  ['password=Zx9!synthetic', 'Zx9!synthetic', 'password'],
  [pem(), pem().split('\n')[1] ?? '', 'pem'],
  [`the gateway takes ${JWT}`, JWT, 'jwt'],
  [`curl -H "Authorization: Basic ${BASIC}" localhost`, BASIC, 'basic'],
  [`push with ghp_${run(36)}`, `ghp_${run(36)}`, 'github_token'],
  ['postgres://app:p0stgres-pw-1@db.internal:5432/orders', 'p0stgres-pw-1', 'url_password'],
  ['数据库密码是Qw3rty-geheim', 'Qw3rty-geheim', 'password'],
]
const MUST_KEEP = [
  'there is no firebase key in this build',
  'apiKey: import.meta.env.APP_KEY',
  'git sha 9fceb02d0ae598e95dc970b74767f19372d61af8',
  'password reset link was sent',
  '密码规则是至少八位',
  'token budget is 1200 per turn',
]
const SECRETS = MUST_REDACT.map(([, secret]) => secret)
const TEXTS = [...MUST_REDACT.map(([text]) => text), ...MUST_KEEP]

/** Each text as it comes one way, so that no way finds it there already. */
const by = (way: string, text: string) => `${way}:\n${text}`

/** Where a secret is, among the files of a folder. */
function held(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .flatMap(entry => {
      const bytes = readFileSync(join(entry.parentPath, entry.name))
      return SECRETS.filter(secret => bytes.includes(secret) || bytes.includes(Buffer.from(secret, 'utf16le'))).map(
        secret => `${secret} in ${entry.name}`,
      )
    })
}

it('no secret is left anywhere, whichever way it came, and nothing else is touched', async () => {
  const machine = new Machine()
  const rows = TEXTS.map(text => ({ text: by('import', text), source: text.slice(0, 400) }))
  await machine.run('import', oldDatabase({ shape: 'A', rows }), '--namespace', 'mine')
  const service = await embeddingService()
  const embed = { endpoint: service.endpoint, dimension: DIMENSION, model: 'm', budgetMs: 5_000 }
  const { host, server, memory } = await rig({
    home: machine.home,
    compression: 'none',
    config: { namespace: 'mine', embed },
  })
  const agent = await agentIn(host)
  for (const text of TEXTS) {
    const call = await callTool(host, 'stablemem_commit', { text: by('tool', text) }, agent)
    expect(call.isError).toBe(false)
  }
  server.push({ text: `I noted: ${SECRETS.join(' and password=')}\n${TEXTS.join('\n')}` })
  await host.runTurn(agent, `Please keep these for the staging gateway.\n${TEXTS.join('\n')}`)
  for (const text of TEXTS) await memory.recall(text, { session: agent.session })
  // What has no vector yet is sent for one in the background.
  await expect
    .poll(async () => (await memory.stats()).spaces.map(({ missing }) => missing), { timeout: 20_000 })
    .toEqual([0])
  await host.flush(agent)

  const folder = join(host.home, 'hologram')
  expect(readdirSync(folder)).toContain('memory.db-wal')
  expect(held(folder)).toEqual([])
  const asked = service.texts.join('\n')
  expect(SECRETS.filter(secret => asked.includes(secret))).toEqual([])
  for (const way of ['import', 'tool']) {
    for (const text of MUST_KEEP) {
      const kept = by(way, text)
      expect(asked).toContain(text)
      const { entries } = await memory.history(blockId(kept), { session: agent.session })
      expect(entries.map(({ verb }) => verb)).toContain('commit')
      const { hits } = await memory.recall(kept, { session: agent.session })
      expect(hits.map(hit => hit.text)).toContain(kept)
    }
  }
  const { pages } = await memory.recall('staging gateway', { session: agent.session, pages: 1 })
  for (const text of MUST_KEEP) expect(JSON.stringify(pages)).toContain(text)

  const events = await readStoredEvents(host.sessionsRoot, agent.session.id)
  const ours = events.filter(({ type }) => String(type).startsWith('hologram/'))
  expect(SECRETS.filter(secret => JSON.stringify(ours).includes(secret))).toEqual([])
  const kinds = [...MUST_REDACT.map(([, , kind]) => [kind]), ...MUST_KEEP.map(() => undefined)]
  expect(oursIn(events, 'commit').map(({ redacted }) => redacted)).toEqual(kinds)
  expect(machine.said('commit').filter(({ origin }) => origin === 'import')).toMatchObject(
    kinds.map(redacted => (redacted === undefined ? {} : { redacted })),
  )
  await host.stop()
  expect(held(folder)).toEqual([])
})
