/** Processes whose rules of redaction differ share one memory: nothing that one takes out is kept, and logs are not read for ever. */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeDocuments } from '../../../src/readmodels/index.ts'
import { Store } from '../../../src/readmodels/worker/store.ts'
import { archiveOf } from '../../support/turns.ts'
import { dump } from '../projector/folding.ts'
import { closeStores, type Home, newHome, store } from '../worker/stores.ts'
import { materialOf, ours, writeLog } from './logs.ts'
import { spoken } from './told.ts'

const DAY = 86_400_000
const [BIRD, FISH] = ['BLUEBIRD', 'GOLDFISH'].map(name => [{ name: name.toLowerCase(), pattern: `${name}-\\d+` }])
const turn = spoken(1, 'the codenames are BLUEBIRD-77 and GOLDFISH-11')
const event = archiveOf(turn, 1, 's1')
const open: Store[] = []

let home: Home
beforeEach(() => {
  home = newHome()
  writeLog(home, 's1', [...turn.events, ours('archive', event)])
})
afterEach(() => {
  for (const one of open.splice(0)) one.close()
  closeStores()
})

/** A process with patterns of its own that starts, and reads what there is. */
async function started(patterns: typeof BIRD | undefined): Promise<Store> {
  const one = new Store({ ...home, redaction: { enabled: true, patterns: patterns ?? [] } })
  open.push(one)
  await one.catchUp([home.sessions])
  return one
}

const text = (one: Store) => JSON.stringify(one.document(event)?.pages)
/** Changes with every time that the text is written anew. */
const rowsOf = (one: Store) => one.database.prepare('SELECT row FROM cold_events ORDER BY part').pluck().all().join()

it('that take turns keep what neither takes out, and read no log anew after that', async () => {
  expect(text(await started(BIRD))).toContain('GOLDFISH-11')
  expect(text(await started(FISH))).toContain('BLUEBIRD-77')
  const third = await started(BIRD)
  expect(text(third)).not.toMatch(/BLUEBIRD-77|GOLDFISH-11/)
  expect(describeDocuments(third.stats().documents)).toContain('redacted by the rules of 2 configurations')
  const rows = rowsOf(third)
  for (const patterns of [FISH, BIRD, FISH]) expect(rowsOf(await started(patterns))).toBe(rows)
  const rebuilt = store(home, { path: ':memory:', keepJournal: true })
  await rebuilt.catchUp([home.sessions])
  expect(dump(rebuilt.database)).toBe(dump(third.database))
})

it('settings that changed replace those before at once', async () => {
  await started(BIRD)
  const changed = await started(FISH)
  expect(text(changed)).toContain('BLUEBIRD-77')
  expect(changed.stats().documents).not.toHaveProperty('configurations')
})

it('one that nobody started with for a week has no say any more', async () => {
  for (const patterns of [BIRD, FISH, BIRD]) await started(patterns)
  const file = join(dirname(home.journal), 'redaction.json')
  const { configurations } = JSON.parse(readFileSync(file, 'utf8')) as {
    configurations: Array<{ seen: number; patterns: unknown }>
  }
  const aged = configurations.map(one =>
    JSON.stringify(one.patterns) === JSON.stringify(FISH) ? { ...one, seen: one.seen - 8 * DAY } : one,
  )
  writeFileSync(file, JSON.stringify({ configurations: aged }))
  expect(text(await started(BIRD))).toContain('GOLDFISH-11')
})

it('a process that runs on writes nothing under rules that hold no more', async () => {
  const early = await started(BIRD)
  const late = await started(FISH)
  const more = spoken(2, 'more of BLUEBIRD-78 and GOLDFISH-12')
  const next = archiveOf(more, 2, 's2')
  writeLog(home, 's2', [...more.events, ours('archive', next)])
  early.fold([{ type: 'hologram/archive', data: next }])
  early.supply([materialOf(next, 's2', more.events)])
  if (early.isBehind) await early.catchUp([])
  const everything = () => JSON.stringify([event, next].map(one => late.document(one)?.pages))
  expect(everything()).not.toMatch(/BLUEBIRD-7[78]|GOLDFISH-1[12]/)
  expect(everything()).toContain('more of')
  expect(everything()).toContain('the codenames are')
  // And the other, which runs on as well, takes part in what holds now.
  const last = spoken(3, 'last of BLUEBIRD-79 and GOLDFISH-13')
  const third = archiveOf(last, 3, 's3')
  late.fold([{ type: 'hologram/archive', data: third }])
  late.supply([materialOf(third, 's3', last.events)])
  expect(JSON.stringify(late.document(third)?.pages)).toContain('last of')
  expect(JSON.stringify(late.document(third)?.pages)).not.toMatch(/BLUEBIRD-79|GOLDFISH-13/)
})
