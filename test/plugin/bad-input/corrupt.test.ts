import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { memoryPaths } from '../../../src/logs/index.ts'
import { Store } from '../../../src/readmodels/worker/store.ts'
import { tempDir } from '../../support/temp.ts'
import { INTACT, turn } from '../law4/sabotage.ts'
import { agentIn, rig } from '../rig.ts'
import { changeBytes, filledHome, isRecalled, movedAside } from './spoil.ts'

const DAMAGE: ReadonlyArray<[string, (bytes: Buffer) => Buffer]> = [
  ['garbage', () => Buffer.from('this is no database at all\n'.repeat(500))],
  ['a few words of text', () => Buffer.from('this is my diary, do not overwrite it')],
  ['cut in the middle', bytes => bytes.subarray(0, Math.floor(bytes.length / 2))],
  ['cut within its first page', bytes => bytes.subarray(0, 1_000)],
  ['its first page flipped', bytes => flip(bytes, 0, 4_096)],
  ['all but its first page flipped', bytes => flip(bytes, 4_096, bytes.length)],
]

function flip(bytes: Buffer, from: number, to: number): Buffer {
  const flipped = Buffer.from(bytes)
  for (let at = from; at < Math.min(to, bytes.length); at++) flipped[at] = 255 - (flipped[at] ?? 0)
  return flipped
}

describe.each(DAMAGE)('a damaged database: %s', (_, damage) => {
  it('costs no turn, is moved aside and kept, and memory is filled again from the journal', async () => {
    const { home, path } = await filledHome()
    const damaged = changeBytes(path, damage)
    const made = await rig({ home })
    expect(await turn(made, await agentIn(made.host))).toMatchObject(INTACT)
    await expect.poll(() => isRecalled(made.host), { timeout: 15_000 }).toBe(true)
    const { session } = await agentIn(made.host)
    expect(await made.memory.commit({ text: 'the gate code is 9071' }, { session })).toMatchObject({ created: true })
    const aside = movedAside(path)
    expect(aside).toHaveLength(1)
    const kept = readFileSync(join(dirname(path), aside[0] ?? ''))
    expect(kept.equals(damaged)).toBe(true)
    expect((await made.memory.stats()).trouble.join()).toContain(aside[0])
    expect(made.host.logs.some(({ type, text }) => type === 'warn' && text.includes(aside[0] ?? ''))).toBe(true)
    await made.host.stop()
    const later = await rig({ home })
    expect(await isRecalled(later.host)).toBe(true)
    expect((await later.memory.stats()).trouble).toEqual([])
  })
})

it('whichever page is damaged, memory answers again, and the damaged file is kept if it was noticed', async () => {
  const { path } = await filledHome()
  const sound = readFileSync(path)
  const { journal } = memoryPaths({ path })
  for (let page = 1; page * 4_096 < sound.length; page++) {
    const own = join(tempDir(), 'memory.db')
    const damaged = flip(sound, page * 4_096, (page + 1) * 4_096)
    writeFileSync(own, damaged)
    const store = new Store({ path: own, journal })
    let found = 0
    // As the worker does it: it answers, and reads the journal again when it fell behind or met damage.
    for (let attempt = 0; attempt < 4 && found === 0; attempt++) {
      await store.catchUp([]).catch(() => store.check())
      found = store.recall({ query: 'runbook', scope: 'all', namespace: '', topK: 5 }).hits.length
    }
    store.close()
    expect([page, found]).toEqual([page, 1])
    const aside = movedAside(own).map(name => readFileSync(join(dirname(own), name)).equals(damaged))
    expect([page, aside.filter(same => !same)]).toEqual([page, []])
  }
})

it('an empty file is filled like a new one', async () => {
  const { home, path } = await filledHome()
  changeBytes(path, () => Buffer.alloc(0))
  const made = await rig({ home })
  expect(await isRecalled(made.host)).toBe(true)
  expect(movedAside(path)).toEqual([])
})
