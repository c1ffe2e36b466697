import { afterAll, describe, expect, it } from 'vitest'
import { blockId } from '../../src/events/index.ts'
import { Store } from '../../src/readmodels/worker/store.ts'
import { materialOf } from '../readmodels/cold/logs.ts'
import { commit, NS_B, recalled } from '../support/events.ts'
import { removeTempDirs, tempDir } from '../support/temp.ts'
import { archiveOf, makeTurn } from '../support/turns.ts'
import { run } from './run.ts'

afterAll(removeTempDirs)

function memory() {
  const home = tempDir()
  const store = new Store({ path: `${home}/hologram/memory.db`, journal: `${home}/hologram/journal` })
  store.fold([
    commit(1, 'the staging port is 8080'),
    commit(2, '备份窗口是周五晚上', { ns: NS_B }),
    recalled(3, ['the staging port is 8080']),
  ])
  store.close()
  return home
}

describe('looking at a memory', () => {
  it('search finds, says where it was said, and keeps to a namespace when told', async () => {
    const home = memory()
    const found = await run(['search', 'staging', 'port', '--home', home])
    expect(found).toMatchObject({ code: 0 })
    expect(found.stdout).toContain('the staging port is 8080')
    expect(found.stdout).toContain('session s1')
    expect(await run(['search', '备份', '--home', home])).toMatchObject({ code: 0 })
    expect(await run(['search', 'staging', '--namespace', NS_B.id, '--home', home])).toMatchObject({
      code: 1,
      stdout: '',
    })
    expect(await run(['search', '--home', home])).toMatchObject({ code: 2 })
  })

  it('history and why name the event, the session and the reason', async () => {
    const home = memory()
    const id = blockId('the staging port is 8080')
    const told = await run(['history', id, '--home', home, '--json'])
    expect(JSON.parse(told.stdout)).toMatchObject({ total: 2, entries: [{ verb: 'commit' }, { verb: 'recall' }] })
    const reasons = await run(['why', '--home', home])
    expect(reasons.stdout).toContain('shares words')
    expect(reasons.stdout).toContain('the staging port is 8080')
    expect(await run(['why', 'no-such-session', '--home', home])).toMatchObject({
      code: 1,
      stderr: 'no recall was recorded in session no-such-session\n',
    })
    expect(await run(['history', 'blk_nope', '--home', home])).toMatchObject({ code: 1 })
  })

  it('show tells what a memory is, where it was said and what it is tied to', async () => {
    const home = memory()
    const id = blockId('the staging port is 8080')
    const shown = await run(['show', id, '--home', home])
    expect(shown.code).toBe(0)
    expect(shown.stdout.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(new RegExp(`^${id} {2}in .* \\(ns_a+\\)$`)),
      '  the staging port is 8080',
      expect.stringMatching(/^ {2}said \d{4}-.* UTC by tool, session s1/),
    ])
    expect(JSON.parse((await run(['show', id, '--home', home, '--json'])).stdout)).toMatchObject([{ id, places: 1 }])
    expect(await run(['show', id, '--namespace', NS_B.id, '--home', home])).toMatchObject({ code: 1, stdout: '' })
    expect(await run(['show', 'blk_nope', '--home', home])).toMatchObject({ code: 1 })
    expect(await run(['show', '--home', home])).toMatchObject({ code: 2 })
  })

  it('an archived turn is found, shown with its pages and why it was brought, and counted', async () => {
    const home = tempDir()
    const store = new Store({ path: `${home}/hologram/memory.db`, journal: `${home}/hologram/journal` })
    const step = { steering: [], text: 'noted', calls: [], reversed: false, chunks: 0 }
    const turn = makeTurn(
      { prompt: ['Heron is rolled out by Mira'], steps: [step], injected: false, compaction: false },
      1,
    )
    const event = archiveOf(turn, 1, 's1', { title: 'Heron' })
    store.fold([
      { type: 'hologram/archive', data: event },
      recalled(2, [], { pages: [{ doc: event.doc, page: 0, score: 0.5, exact: false, why: 'shares words' }] }),
    ])
    store.supply([materialOf(event, 's1', turn.events)])
    store.note(new Error('the disk went away'))
    store.close()
    const found = await run(['search', 'who', 'rolls', 'out', 'Heron', '--home', home])
    expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining('user: Heron is rolled out by Mira') })
    const shown = await run(['show', event.doc, '--home', home])
    expect(shown.stdout).toMatch(/archived \d{4}-.* by evt_0+1, session s1, turn 1$/m)
    expect(shown.stdout).toContain('assistant: noted')
    expect(JSON.parse((await run(['show', event.doc, '--home', home, '--json'])).stdout)).toMatchObject({
      state: 'held',
    })
    expect(await run(['show', 'doc_0123456789abcdef01234567', '--home', home])).toMatchObject({ code: 1, stdout: '' })
    expect((await run(['why', '--home', home])).stdout).toContain(`${event.doc}, page 1  0.500  shares words`)
    const status = await run(['status', '--home', home])
    expect(status.stdout).toContain('1 archived turns')
    expect(status.stdout).toContain('the disk went away')
  })

  it('status counts, and nothing is made where there is nothing', async () => {
    const home = memory()
    expect((await run(['status', '--home', home])).stdout).toContain('2 memories from 3 events')
    const nothing = await run(['status', '--home', tempDir()])
    expect(nothing).toMatchObject({ code: 2, stdout: '' })
    expect(nothing.stderr).toContain('there is no database')
  })

  it('an option of another command is refused', async () => {
    expect(await run(['status', '--dry-run', '--home', memory()])).toMatchObject({ code: 2 })
  })
})
