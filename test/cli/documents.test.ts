/** Archived turns on the command line: found, shown, counted, compared and rebuilt. */
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { ArchiveEvent } from '../../src/events/index.ts'
import { Store } from '../../src/readmodels/worker/store.ts'
import { materialOf, ours, writeLog } from '../readmodels/cold/logs.ts'
import { commit, recalled } from '../support/events.ts'
import { removeTempDirs } from '../support/temp.ts'
import { archiveOf, makeTurn } from '../support/turns.ts'
import { type CliHome, emptyHome } from './homes.ts'
import { answer, run } from './run.ts'

afterEach(removeTempDirs)

const SAID = 'Heron is rolled out by Mira on Tuesdays'
const FACT = 'Heron is rolled out by Mira'

/** A home in which one turn was archived live, and its log is stored; a fact of it was committed too. */
function home(over: Partial<ArchiveEvent> = {}): CliHome & { readonly doc: string; readonly log: string } {
  const made = emptyHome()
  const call = { tool: 'bash', args: '{"command":"ls"}', result: 'a.txt', failed: false }
  const step = { steering: [], text: 'noted', calls: [call], reversed: false, chunks: 0 }
  const turn = makeTurn({ prompt: [SAID], steps: [step], injected: true, compaction: false }, 1)
  const archived = archiveOf(turn, 1, 's1', { title: 'Heron', ...over })
  const brought = recalled(3, [FACT], { pages: [{ doc: archived.doc, page: 0, score: 0.5, exact: false, why: 'x' }] })
  const own = [{ type: 'hologram/archive', data: archived }, commit(2, FACT), brought]
  const entries = [...turn.events, ...own.map(({ type, data }) => ours(type.slice('hologram/'.length), data))]
  const log = writeLog(made, 's1', entries)
  const store = new Store({ path: made.path, journal: made.journal })
  store.fold(own.map((event, at) => ({ ...event, seq: turn.events.length + at })))
  store.supply([materialOf(archived, 's1', entries)])
  store.close()
  return { ...made, doc: archived.doc, log }
}

describe('search', () => {
  it('finds pages beside memories, named as `why` names them, and leaves them out when told', async () => {
    const { home: at, doc } = home()
    const both = await run(['search', 'Heron', '--home', at])
    expect(both.stdout).toContain(FACT)
    expect(both.stdout).toMatch(new RegExp(`^${doc}, page 1 {2}\\d\\.\\d{3}$`, 'm'))
    expect((await run(['why', '--home', at])).stdout).toContain(`${doc}, page 1  0.500`)
    const without = await run(['search', 'Heron', '--no-pages', '--home', at])
    expect(without).toMatchObject({ code: 0, stdout: expect.not.stringContaining(doc) })
    const none = await run(['search', 'Tuesdays', '--no-pages', '--home', at, '--json'])
    expect(none.code).toBe(1)
    expect(answer(none)).toMatchObject({ hits: [], pages: [] })
  })
})

describe('show', () => {
  it.each([
    ['stopping', 'turn 1'],
    ['open', 'turn 1, while it went on'],
    ['aborted', 'turn 1, ended by aborted'],
  ])('of a turn that was %s says so in words', async (ended, words) => {
    const { home: at, doc } = home({ ended })
    const { stdout } = await run(['show', doc, '--home', at])
    expect(stdout.split('\n')[1]).toMatch(new RegExp(`^ {2}archived .* by evt_0+1, session s1, ${words}$`))
    expect(stdout).toContain('  looked up once\n')
    expect(stdout).toContain('  call bash: {"command":"ls"}\n  result: a.txt\n')
  })

  it('is where `history` of an archived turn leads', async () => {
    const { home: at, doc } = home()
    const { code, stdout, stderr } = await run(['history', doc, '--home', at])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`show ${doc}`)
  })
})

describe('a rebuild', () => {
  it.each(['logs', 'both'])('from %s has the text of archived turns too', async from => {
    const made = home()
    const verified = await run(['verify', '--from', from, '--home', made.home, '--json'])
    expect(answer(verified)).toMatchObject({ identical: true, untold: 0 })
    const { stdout: before } = await run(['show', made.doc, '--home', made.home])
    rmSync(made.path)
    const rebuilt = await run(['rebuild', '--from', from, '--home', made.home, '--json'])
    expect(answer(rebuilt)).toMatchObject({ blocks: 1, documents: { all: 1, waiting: 0, withdrawn: 0 } })
    expect((await run(['show', made.doc, '--home', made.home])).stdout).toBe(before)
    expect((await run(['verify', '--from', from, '--home', made.home])).code).toBe(0)
  })

  it('from the journal has none, says how many, and is the same but for that', async () => {
    const made = home()
    const verified = await run(['verify', '--from', 'journal', '--home', made.home])
    expect(verified.stdout).toMatch(/^identical: .*, without the text of 1 archived turns/)
    const rebuilt = await run(['rebuild', '--from', 'journal', '--home', made.home])
    expect(rebuilt.stdout).toContain('1 memories in 1 namespaces and 1 archived turns (1 not read yet), from 3 events')
    expect((await run(['show', made.doc, '--home', made.home])).stdout).toContain('its session log was not read yet')
    expect((await run(['search', 'Tuesdays', '--home', made.home])).code).toBe(1)
  })

  it('after a log was deleted has nothing of what was said in it', async () => {
    const made = home()
    rmSync(dirname(made.log), { recursive: true })
    writeLog(made, 's2', [])
    expect((await run(['rebuild', '--home', made.home])).stdout).toContain('1 archived turns (1')
    const { stdout } = await run(['show', made.doc, '--home', made.home])
    expect(stdout).toContain('session log')
    expect(stdout).not.toContain(SAID)
    expect((await run(['verify', '--home', made.home])).code).toBe(0)
  })
})
