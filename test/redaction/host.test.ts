/** The real plugin on the real host: where a secret is after the model committed it, and where it is not. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import * as plugin from '../../src/plugin/index.ts'
import { bootHost, type Host } from '../support/host.ts'
import { readStoredEvents } from '../support/logs.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { removeTempDirs, tempDir } from '../support/temp.ts'
import { BASIC, pem, run } from './made.ts'

let host: Host | undefined
let server: ModelServer | undefined

afterEach(async () => {
  await host?.stop()
  await server?.close()
  host = undefined
  server = undefined
  removeTempDirs()
})

/** The newest secret of each family. */
const SECRETS = [
  `sk-${run(48)}`,
  `ghp_${run(36)}`,
  'Zx9!synthetic-7',
  'Qw3rty-geheim',
  run(64, undefined, 3),
  BASIC,
  'p0stgres-pw-1',
]
const [openai = '', github = '', assigned = '', chinese = '', key = '', basic = '', url = ''] = SECRETS
const TEXT = [
  `The staging runbook 4711: model key ${openai}, repo ${github}`,
  `password=${assigned}`,
  `数据库密码是${chinese}`,
  `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----`,
  `Authorization: Basic ${basic}`,
  `postgres://app:${url}@db.internal:5432/orders`,
].join('\n')

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
}

/** Whether a file holds a text, in the encodings a store may use. */
function holds(path: string, text: string): boolean {
  const bytes = readFileSync(path)
  return bytes.includes(Buffer.from(text, 'utf8')) || bytes.includes(Buffer.from(text, 'utf16le'))
}

describe('a secret that the model commits', () => {
  it('is in no file of ours and no event of ours; the host keeps its own record of the call', async () => {
    server = await startModelServer([
      {
        toolCalls: [
          {
            name: 'stablemem_commit',
            arguments: { text: TEXT, source: `env TOKEN=${github}`, scene: `ops/${openai}` },
          },
        ],
      },
      { text: 'Noted.' },
    ])
    host = await bootHost({ home: tempDir(), model: server.baseURL, compression: 'none' })
    await host.mount(plugin, {})
    const agent = await host.createAgent({ sessionId: 'secret', cwd: host.home })
    await host.runTurn(agent, 'Please keep the runbook.')
    await host.flush(agent)

    const memory = host.ctx.get('stablemem')
    const found = await memory?.recall('staging runbook 4711', { session: agent.session })
    expect(found?.hits).toHaveLength(1)
    const text = found?.hits[0]?.text ?? ''
    expect(text).toContain('password=[redacted:password]')
    expect(text).toContain('postgres://app:[redacted:url_password]@db.internal:5432/orders')

    // While the database is open, with its write-ahead log beside it, and once more when everything is closed.
    const folder = join(host.home, 'hologram')
    const files = filesUnder(folder)
    expect(files.some(path => path.endsWith('memory.db'))).toBe(true)
    expect(files.some(path => path.endsWith('memory.db-wal'))).toBe(true)
    expect(files.some(path => path.endsWith('.jsonl'))).toBe(true)
    expect(files.some(path => holds(path, 'runbook'))).toBe(true)
    expectNone(files)
    const logged = host.logs.map(line => line.text).join('\n')
    for (const secret of SECRETS) expect(logged).not.toContain(secret)
    await host.stop()
    expectNone(filesUnder(folder))

    const events = await readStoredEvents(host.sessionsRoot, 'secret')
    const ours = events.filter(event => String(event.type).startsWith('hologram/'))
    const commit = ours.find(event => String(event.type) === 'hologram/commit')
    expect(commit?.data).toMatchObject({
      redacted: ['basic', 'github_token', 'openai_key', 'password', 'pem', 'url_password'],
      scene: 'ops/[redacted:openai_key]',
    })
    for (const secret of SECRETS) expect(JSON.stringify(ours)).not.toContain(secret)

    // Out of scope: what the model said is the host's, and stays in the host's record of the call.
    const theirs = JSON.stringify(events.filter(event => String(event.type).startsWith('tool/')))
    expect(theirs).toContain(github)
  })

  it('is kept when redaction is off, and a bad pattern keeps the plugin from starting', async () => {
    host = await bootHost({ home: tempDir(), persistence: false })
    await host.mount(plugin, { redaction: { enabled: false } })
    await host.ctx.get('stablemem')?.commit({ text: `note: ${pem()} password=${assigned}` })
    const journal = filesUnder(join(host.home, 'hologram')).filter(path => path.endsWith('.jsonl'))
    expect(journal.some(path => holds(path, assigned))).toBe(true)
    await host.stop()
    host = await bootHost({ home: tempDir(), persistence: false })
    await expect(host.mount(plugin, { redaction: { patterns: [{ name: 'x', pattern: '(' }] } })).rejects.toThrow(
      /redaction\.patterns\[0\]/,
    )
  })
})

function expectNone(files: readonly string[]): void {
  for (const path of files)
    for (const secret of SECRETS) expect(holds(path, secret) ? `${secret} in ${path}` : '').toBe('')
}
