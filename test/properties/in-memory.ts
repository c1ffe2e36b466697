/**
 * The laws as properties of programs in memory: two processes with a database each, journal and logs as lists. Without a
 * test runner, so that mutants of `src` can be tried in processes of their own.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { blockId, type StoredEvent } from '../../src/events/index.ts'
import { Store } from '../../src/readmodels/worker/store.ts'
import { dump } from '../readmodels/projector/folding.ts'
import { arbEvents, commit, eventId, NS_A, NS_B, recalled } from '../support/events.ts'
import { assertLaws } from './laws.ts'
import { arbProgram, type Program, QUESTIONS } from './programs.ts'
import { shuffled } from './shuffled.ts'
import { asked, PlainShelf, World } from './world.ts'

// Opening a database takes longer than a program, so these are used again: emptied, as `rebuild` empties one in place.
const [left, right, other] = [inMemory(), inMemory(), inMemory()]

export function closeStores(): void {
  for (const store of [left, right, other]) store.close()
}

function inMemory(): Store {
  return new Store({ path: ':memory:', journal: '', keepJournal: true })
}

function filled(store: Store, events: readonly StoredEvent[]): Store {
  store.clear()
  store.fold(events)
  return store
}

async function lived({ steps }: Program): Promise<{ readonly world: World; readonly shelf: PlainShelf }> {
  left.clear()
  right.clear()
  const shelf = new PlainShelf()
  const world = new World(shelf, [left, right])
  await world.run(steps)
  await world.settle()
  return { world, shelf }
}

/**
 * Both processes, and a rebuild from logs and journal in any order, hold one memory, and it is what the events say.
 *
 * @param done counts the commands that were carried out
 * @param carry what is left of logs and journal after they were taken elsewhere, each way: it must be the same memory
 */
export function oneMemory(
  done: Record<string, number> = {},
  carry?: (shelf: PlainShelf, program: Program) => Promise<Iterable<readonly StoredEvent[]>>,
): fc.IAsyncProperty<[Program]> {
  return fc.asyncProperty(arbProgram, async program => {
    const { world, shelf } = await lived(program)
    for (const [what, count] of Object.entries(world.done)) done[what] = (done[what] ?? 0) + count
    const memory = dump(left.database)
    assert.equal(dump(right.database), memory)
    const sightings = [...shelf.inLogs(), ...shelf.journal, ...shelf.inLogs()]
    assert.equal(dump(filled(other, shuffled(sightings, program.seed)).database), memory)
    assert.deepEqual(asked(other), asked(left))
    assertLaws(left, world.events)
    for (const events of (await carry?.(shelf, program)) ?? [])
      assert.equal(dump(filled(other, events).database), memory)
  })
}

/** Whatever events there are, valid ones that no command would make included, every read is what they say. */
export function whatEventsSay(): fc.IAsyncProperty<[StoredEvent[]]> {
  return fc.asyncProperty(arbEvents(16), async events => assertLaws(filled(other, events), events))
}

/** Whatever is read in a namespace is what its own events, and those that act everywhere, come to alone. */
export function nothingOfAnother(): fc.IAsyncProperty<[Program]> {
  return fc.asyncProperty(arbProgram, async program => {
    const { world } = await lived(program)
    for (const namespace of [NS_A.id, NS_B.id]) {
      const own = world.events.filter(({ data }) => {
        const { ns, everywhere } = data as { ns: { id: string }; everywhere?: true }
        return ns.id === namespace || everywhere === true
      })
      filled(other, own)
      assert.deepEqual(reads(left, namespace, world.events), reads(other, namespace, world.events))
    }
  })
}

/** The same texts in two namespaces: what is done to those of one is not done to those of the other. */
export function assertTwinsApart(): void {
  const [old, now, same] = ['the valve port is 1111', 'the valve port is 2222', 'valve port 2222']
  const [oldId, nowId, sameId] = [blockId(old), blockId(now), blockId(same)]
  const both = [NS_A, NS_B].flatMap((ns, at) =>
    [old, now, same].map((text, n) => commit(1 + n + 3 * at, text, { ns, at: { session: `s${at}`, time: 1 } })),
  )
  const envelope = { v: 1, ns: NS_B, at: { time: 1 }, origin: 'tool' } as const
  const edge = { sourceKind: 'block', sourceId: nowId, targetKind: 'block', targetId: oldId, type: 'supersedes' }
  const acts = [
    { type: 'hologram/link', data: { ...envelope, id: eventId(7), clock: 7, ...edge } },
    { type: 'hologram/merge', data: { ...envelope, id: eventId(8), clock: 8, keep: nowId, drop: sameId } },
    recalled(9, [old], { ns: NS_B }),
  ]
  const purge = { type: 'hologram/purge', data: { ...envelope, id: eventId(10), clock: 10, ids: [oldId], reason: '' } }
  const shown = () =>
    other
      .recall({ query: 'valve port', scope: 'all', namespace: '', topK: 20, history: true })
      .hits.map(({ namespace, id, places }) => `${namespace} ${id} ${places}`)
      .sort()
  const inA = [oldId, nowId, sameId].map(id => `${NS_A.id} ${id} 1`)
  const inB = (...ids: readonly string[]) => ids.map(id => `${NS_B.id} ${id} 1`)

  filled(other, both)
  assert.deepEqual(shown(), [...inA, ...inB(oldId, nowId, sameId)].sort())
  const alone = reads(filled(other, both.slice(0, 3)), NS_A.id, both)
  filled(other, [...both, ...acts])
  assert.deepEqual(reads(other, NS_A.id, both), alone)
  assert.deepEqual(shown(), [...inA, ...inB(nowId)].sort())
  other.fold([purge])
  assert.deepEqual(reads(other, NS_A.id, both), alone)
  assert.deepEqual(shown(), [...inA, ...inB(nowId)].sort())
}

/** Ids of blocks, and everything else, do not depend on what sessions are called. */
export function namesOfSessions(): fc.IAsyncProperty<[Program]> {
  return fc.asyncProperty(arbProgram, async program => {
    const { world } = await lived(program)
    const memory = dump(left.database)
    const renamed = JSON.parse(JSON.stringify(world.events).replaceAll('"session":"s', '"session":"other-s'))
    assert.equal(dump(filled(other, renamed).database).replaceAll('"other-s', '"s'), memory)
  })
}

/** All that can be read in a namespace. */
function reads(store: Store, namespace: string, events: readonly StoredEvent[]): unknown {
  const ids = [...new Set([...JSON.stringify(events).matchAll(/blk_[0-9a-f]{24}/g)].map(([id]) => id))]
  const answers = [...QUESTIONS, '端口'].map(query => {
    const {
      clock: _,
      counters,
      ...answer
    } = store.recall({
      query,
      scope: 'namespace',
      namespace,
      topK: 20,
      history: true,
      associate: 5,
    })
    return { ...answer, skipped: counters.skipped }
  })
  return {
    answers,
    known: store.lookup({ namespace, ids }),
    histories: ids.map(id => store.history({ namespace, id })),
  }
}
