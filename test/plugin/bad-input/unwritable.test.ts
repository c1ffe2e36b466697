import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { tempDir } from '../../support/temp.ts'
import { INTACT, turn } from '../law4/sabotage.ts'
import { agentIn, oursIn, rig } from '../rig.ts'
import { isRecalled, NOTE, readOnlyFolder } from './spoil.ts'

const releases: Array<() => void> = []

afterEach(() => {
  for (const release of releases.splice(0)) release()
})

/** Places where no database can be, by what is in the way. */
const PLACES: ReadonlyArray<[string, () => string]> = [
  ['below a regular file', () => join(fileAt(tempDir()), 'deep', 'memory.db')],
  ['a folder', () => tempDir()],
  [
    'in a read-only folder',
    () => {
      const folder = readOnlyFolder()
      releases.push(folder.release)
      return join(folder.path, 'memory.db')
    },
  ],
]

function fileAt(folder: string): string {
  const path = join(folder, 'file')
  writeFileSync(path, 'in the way')
  return path
}

describe.each(PLACES)('a database path that cannot be written: %s', (_, place) => {
  it('is named with the remedy, and turns work', async () => {
    const path = place()
    const made = await rig({ config: { path, journal: join(tempDir(), 'journal') } })
    expect(await turn(made, await agentIn(made.host))).toMatchObject({ ...INTACT, injected: false })
    const { outcome, notice } = await made.memory.recall('runbook')
    const trouble = (await made.memory.stats()).trouble.join()
    expect(outcome).toBe('unavailable')
    expect(notice).not.toContain(path)
    expect(trouble).toContain(path)
    expect(trouble).toMatch(/cannot be written.*(Make|set `path`)/)
    expect((await made.memory.stats()).trouble.join()).toContain(path)
    const said = () => made.host.logs.filter(({ type, text }) => type === 'warn' && text.includes(path)).length
    await expect.poll(said).toBe(1)
  })

  it('a commit is safe in the journal, says that it cannot be found yet, and is found by the next mount', async () => {
    const path = place()
    const journal = join(tempDir(), 'journal')
    const made = await rig({ config: { path, journal } })
    const { session } = await agentIn(made.host)
    expect(await made.memory.commit({ text: NOTE }, { session })).toMatchObject({ created: true, pending: true })
    await made.host.stop()
    const later = await rig({ home: made.host.home, config: { path: join(tempDir(), 'memory.db'), journal } })
    expect(await isRecalled(later.host)).toBe(true)
  })
})

describe('a journal that cannot be written', () => {
  it('a commit in a session is refused, says that the session log holds it, and the next mount takes it up', async () => {
    const home = tempDir()
    const journal = join(fileAt(home), 'journal')
    const made = await rig({ home, config: { journal } })
    made.server.push({ text: 'hello' })
    const agent = await agentIn(made.host)
    expect(await turn(made, agent)).toMatchObject(INTACT)
    const commit = made.memory.commit({ text: NOTE }, { session: agent.session })
    await expect(commit).rejects.toMatchObject({ name: 'MemoryUnavailableError' })
    await expect(commit).rejects.toThrow(/not written.*(ENOTDIR|EEXIST).*session log.*next start/)
    expect(oursIn(agent.session.events, 'commit')).toHaveLength(1)
    await made.host.stop()
    rmSync(join(home, 'file'))
    mkdirSync(join(home, 'file'))
    const later = await rig({ home, config: { journal } })
    await expect.poll(() => isRecalled(later.host), { timeout: 10_000 }).toBe(true)
  })

  it('a commit outside of any session is refused, and promises nothing', async () => {
    const made = await rig({ config: { journal: join(fileAt(tempDir()), 'journal') } })
    const commit = made.memory.commit({ text: NOTE })
    await expect(commit).rejects.toMatchObject({ name: 'MemoryUnavailableError' })
    await expect(commit).rejects.not.toThrow(/session log/)
    expect((await made.memory.recall('runbook')).hits).toEqual([])
  })
})
