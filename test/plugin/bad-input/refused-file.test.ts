import { mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { memoryPaths } from '../../../src/logs/index.ts'
import { tempDir } from '../../support/temp.ts'
import { INTACT, turn } from '../law4/sabotage.ts'
import { agentIn, rig } from '../rig.ts'
import { filledHome, isRecalled, NOTE } from './spoil.ts'

async function futureHome(): Promise<{ home: string; path: string }> {
  const filled = await filledHome()
  setVersion(filled.path, 99)
  return filled
}

/** A small database of somebody else, with or without an application id. */
function foreignHome(applicationId: number): { home: string; path: string } {
  const home = tempDir()
  const { path } = memoryPaths({}, home)
  mkdirSync(dirname(path), { recursive: true })
  const db = new Database(path)
  db.exec('CREATE TABLE recipes (name TEXT)')
  db.prepare('INSERT INTO recipes VALUES (?)').run('soup')
  db.pragma(`application_id = ${applicationId}`)
  db.close()
  return { home, path }
}

function setVersion(path: string, version: number): void {
  const db = new Database(path)
  db.pragma(`user_version = ${version}`)
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

const FILES: ReadonlyArray<[string, () => Promise<{ home: string; path: string }>, RegExp]> = [
  ['of another application', async () => foreignHome(0x1234), /another application.*left alone.*`path`/],
  ['of an application that does not say which', async () => foreignHome(0), /another application.*left alone/],
  ['of a later version of us', futureHome, /schema version 99.*left alone.*Update/],
]

describe.each(FILES)('a database %s', (_, make, message) => {
  it('is refused in words that name it, and is left as it was to the byte', async () => {
    const { home, path } = await make()
    const before = readFileSync(path)
    const made = await rig({ home })
    expect(await turn(made, await agentIn(made.host))).toMatchObject({ ...INTACT, injected: false })
    const { outcome, notice } = await made.memory.recall('runbook')
    const trouble = (await made.memory.stats()).trouble.join()
    expect(outcome).toBe('unavailable')
    expect(trouble).toMatch(message)
    expect(trouble).toContain(path)
    // Answers go before models and into logs.
    expect(notice).toContain('cannot be searched')
    expect(notice).not.toContain(path)
    const said = () => made.host.logs.filter(({ type, text }) => type === 'warn' && text.includes(path)).length
    await expect.poll(said).toBe(1)
    await made.host.stop()
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('does not keep a commit from being safe: it says so, and a mount with another path finds it', async () => {
    const { home, path } = await make()
    const before = readFileSync(path)
    const made = await rig({ home })
    const { session } = await agentIn(made.host)
    const committed = await made.memory.commit({ text: 'the gate code is 9071' }, { session })
    expect(committed).toMatchObject({ pending: true })
    await made.host.stop()
    expect(readFileSync(path).equals(before)).toBe(true)
    const { journal } = memoryPaths({}, home)
    const later = await rig({ home, config: { path: `${path}.new`, journal } })
    const asking = await agentIn(later.host)
    expect((await later.memory.recall('gate code', { session: asking.session })).hits).toHaveLength(1)
  })
})

it('when the later version is gone, the same file works again, with what was committed meanwhile', async () => {
  const { home, path } = await futureHome()
  const made = await rig({ home })
  await made.memory.commit({ text: 'the gate code is 9071' }, { session: (await agentIn(made.host)).session })
  await made.host.stop()
  setVersion(path, 1)
  const later = await rig({ home })
  expect(await isRecalled(later.host)).toBe(true)
  const { session } = await agentIn(later.host)
  expect((await later.memory.recall('gate code', { session })).hits).toHaveLength(1)
  expect((await later.memory.recall('drawer', { session })).hits[0]?.text).toBe(NOTE)
})
