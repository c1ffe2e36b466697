/** Run by `mutants.test.ts` beside a copy of `src`: prints, as one JSON line, which laws that copy breaks, and how it shows. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { decideCommit, decideLink } from '../../src/commands/index.ts'
import { blockId } from '../../src/events/index.ts'
import { assertTwinsApart, closeStores, nothingOfAnother, oneMemory, whatEventsSay } from '../properties/in-memory.ts'
import { NS_A } from '../support/events.ts'

const SECRET = 'sk-TESTTESTTESTTESTTESTTEST1234'

/** Nothing that is derived from a commit or an edge may depend on a secret: not its text, not its id. */
function redactsFirst(): void {
  const stamp = { id: `evt_${'0'.repeat(26)}`, clock: 1, ns: NS_A, at: { time: 1 } }
  const draft = decideCommit({ text: `my key is ${SECRET}`, scene: SECRET }, 'tool', { maxBytes: 1_000 })
  const event = draft.stamp(stamp)
  assert.equal(JSON.stringify(event).includes(SECRET), false)
  assert.equal(draft.block, blockId(event.text))
  assert.notEqual(draft.block, blockId(`my key is ${SECRET}`))
  const edge = { sourceKind: 'entity', sourceId: SECRET, targetKind: 'entity', targetId: 'x', type: 'near' } as const
  assert.equal(JSON.stringify(decideLink(edge, 'tool', new Map()).stamp(stamp)).includes(SECRET), false)
}

/** Programs of a round. */
const PROGRAMS = 15

async function holds(property: fc.IAsyncProperty<[unknown]>, round: number): Promise<void> {
  // Seeds are given, so that a mutant is found or not found for good.
  const result = await fc.check(property, { numRuns: PROGRAMS, seed: round, endOnFailure: true })
  if (result.failed) throw result.errorInstance
}

const [, , rounds = '1'] = process.argv
const laws: Readonly<Record<string, (round: number) => void | Promise<void>>> = {
  'redacts first': redactsFirst,
  'twins are apart': assertTwinsApart,
  'what events say': round => holds(whatEventsSay() as fc.IAsyncProperty<[unknown]>, round),
  'one memory': round => holds(oneMemory() as fc.IAsyncProperty<[unknown]>, round),
  'nothing of another': round => holds(nothingOfAnother() as fc.IAsyncProperty<[unknown]>, round),
}
const broken: Record<string, string> = {}
// One is enough.
for (let round = 1; round <= Number(rounds) && Object.keys(broken).length === 0; round++) {
  for (const [law, check] of Object.entries(laws)) {
    try {
      await check(round)
    } catch (error) {
      broken[law] = String(error).slice(0, 300)
      break
    }
  }
}
closeStores()
console.log(JSON.stringify(broken))
