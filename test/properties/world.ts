/** Runs programs as the plugin would: with real lookups and real decisions, a clock for each process, and logs and journal beside. */
import {
  decideCommit,
  decideLink,
  decideMerge,
  decidePurge,
  decideUnlink,
  type EdgeInput,
  isCommandRefused,
  type KnownBlocks,
  recallEvent,
  type Stamp,
} from '../../src/commands/index.ts'
import { blockId, LamportClock, type Namespace, type Order, type StoredEvent } from '../../src/events/index.ts'
import type { Store } from '../../src/readmodels/worker/store.ts'
import { eventId, NS_A, NS_B, vectorData } from '../support/events.ts'
import { BEGINNING, type Command, type CommandStep, QUESTIONS, type Step } from './programs.ts'

const TIME = 1_700_000_000_000
/** A prime: numbers below it are mixed up without two becoming one. */
const PRIME = 10_007

export interface Process {
  readonly store: Store
  readonly clock: LamportClock
}

/** What a world keeps beside its stores, which may be in memory or on disk. */
export interface Shelf {
  /** What was said in each session, forks with what they inherited. */
  readonly logs: Map<string, StoredEvent[]>
  /** An event goes to the journal without being folded by anybody. */
  journalOnly(event: StoredEvent): void
  /** A store folds an event of its own; it is in the journal then. */
  fold(store: Store, event: StoredEvent): void
  /** A store takes in what the journal and all logs hold. */
  catchUp(store: Store): Promise<void> | void
}

interface Place {
  readonly session?: string
  readonly ns: Namespace
}

export class World {
  /** Every event that exists anywhere. */
  readonly events: StoredEvent[] = []
  /** How many commands of each kind were carried out, and how many refused. */
  readonly done: Record<string, number> = {}
  private readonly shelf: Shelf
  private readonly processes: readonly Process[]
  private readonly places: Place[] = [{ ns: NS_A }, { ns: NS_B }]
  private made = 0

  constructor(shelf: Shelf, stores: readonly Store[]) {
    this.shelf = shelf
    this.processes = stores.map(store => ({ store, clock: new LamportClock() }))
    for (const [session, ns] of [
      ['s1', NS_A],
      ['s2', NS_B],
      ['s3', NS_A],
    ] as const) {
      this.places.push({ session, ns })
      shelf.logs.set(session, [])
    }
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const step of BEGINNING) await this.step(step)
    await this.settle()
    for (const step of steps) await this.step(step)
  }

  /** Every process takes in what the others did. */
  async settle(): Promise<void> {
    // Twice: what one process copies from logs to the journal is read by the other.
    for (const { store } of [...this.processes, ...this.processes]) await this.shelf.catchUp(store)
  }

  private async step(step: Step): Promise<void> {
    if (step.kind === 'fork') {
      this.fork(step.session, step.after)
      return
    }
    const process = this.processes[step.process % this.processes.length]
    if (process === undefined) return
    if (step.kind === 'catch up') await this.shelf.catchUp(process.store)
    else if (step.kind === 'lose database') {
      process.store.clear()
      await this.shelf.catchUp(process.store)
    } else this.command(process, step)
  }

  private fork(at: number, after: number): void {
    const { session, ns } = this.place(at)
    if (session === undefined) return
    const child = `${session}-fork${this.places.length}`
    this.shelf.logs.set(child, (this.shelf.logs.get(session) ?? []).slice(0, after))
    this.places.push({ session: child, ns })
  }

  private command(process: Process, { session: at, fate, command }: CommandStep): void {
    const place = this.place(at)
    const { clock, store } = process
    // As the recorder does: the clock hears of the database, and of the session that is gone on with.
    clock.observe(store.clock)
    const log = place.session === undefined ? undefined : this.shelf.logs.get(place.session)
    for (const { data } of log ?? []) clock.observe((data as Order).clock)
    let event: StoredEvent
    try {
      event = this.decide(store, command, place, this.stamp(clock, place), log?.length)
    } catch (error) {
      if (!isCommandRefused(error)) throw error
      this.count(`${command.do} refused`)
      return
    }
    this.count(command.do)
    // An embed event is never in a session.
    const logged = command.do === 'embed' ? undefined : log
    if (fate === 'logged' && logged === undefined) return
    this.events.push(event)
    logged?.push(event)
    if (fate === 'journaled') this.shelf.journalOnly(event)
    if (fate === 'done' || fate === 'unlogged') this.shelf.fold(store, event)
    if (fate === 'unlogged') logged?.pop()
  }

  private decide(
    store: Store,
    command: Command,
    { session, ns }: Place,
    stamp: Stamp,
    seq: number | undefined,
  ): StoredEvent {
    const known = (ids: readonly string[], everywhere = false): KnownBlocks => {
      const found = store.lookup(everywhere ? { ids } : { ids, namespace: ns.id })
      return new Map(found.map(block => [block.id, block]))
    }
    const stored = (verb: string, data: object): StoredEvent => ({
      type: `hologram/${verb}`,
      data: JSON.parse(JSON.stringify(data)),
      ...(session === undefined || seq === undefined ? {} : { seq }),
    })
    switch (command.do) {
      case 'commit': {
        const { do: _, origin, frame, ...input } = command
        const draft = decideCommit({ ...input, ...(frame === undefined ? {} : { frame }) }, origin, {
          maxBytes: 65_536,
        })
        return stored('commit', draft.stamp(stamp))
      }
      case 'link': {
        const edge = edgeOf(command)
        const blocks = [edge.sourceId, ...(edge.targetKind === 'block' ? [edge.targetId] : [])]
        const input = { ...edge, confidence: command.confidence }
        return stored('link', decideLink(input, 'tool', known(blocks)).stamp(stamp))
      }
      case 'unlink':
        return stored('unlink', decideUnlink(edgeOf(command), 'tool').stamp(stamp))
      case 'merge': {
        const [keep, drop] = [blockId(command.keep), blockId(command.drop)]
        const { everywhere } = command
        const draft = decideMerge({ keep, drop, everywhere }, 'tool', known([keep, drop], everywhere))
        return stored('merge', draft.stamp(stamp))
      }
      case 'purge': {
        const ids = command.texts.map(blockId)
        const { everywhere } = command
        const draft = decidePurge({ ids, everywhere, reason: 'asked to' }, 'tool', known(ids, everywhere))
        return stored('purge', draft.stamp(stamp))
      }
      case 'embed': {
        const { text, fingerprint, values } = command
        const space = { fingerprint, dimension: values.length, provider: 'p', model: 'm' }
        const target = { kind: 'block', id: blockId(text) }
        return { type: 'hologram/embed', data: { v: 1, ...stamp, target, space, data: vectorData(...values) } }
      }
      case 'recall': {
        const { query } = command
        const { hits, symbols, outcome, degraded } = store.recall({
          query,
          scope: 'namespace',
          namespace: ns.id,
          topK: 5,
        })
        const shown = hits.map(({ id, score, exact, why }) => ({ block: id, score, exact, why }))
        return stored('recall', recallEvent({ mode: 'tool', query, symbols, hits: shown, outcome, degraded }, stamp))
      }
    }
  }

  /** Ids and wall clocks are at odds with the order of events, and the same in every run of one program. */
  private stamp(clock: LamportClock, { session, ns }: Place): Stamp {
    this.made += 1
    const mixed = (this.made * 7_919) % PRIME
    const at = { ...(session === undefined ? {} : { session, turn: this.made % 4 }), time: TIME + mixed }
    return { id: eventId(mixed), clock: clock.tick(), ns, at }
  }

  private place(at: number): Place {
    return this.places[at % this.places.length] ?? { ns: NS_A }
  }

  private count(what: string): void {
    this.done[what] = (this.done[what] ?? 0) + 1
  }
}

function edgeOf({ from, to, type }: Extract<Command, { do: 'link' | 'unlink' }>): EdgeInput {
  const target =
    'text' in to
      ? { targetKind: 'block' as const, targetId: blockId(to.text) }
      : { targetKind: 'entity' as const, targetId: to.entity }
  return { sourceKind: 'block', sourceId: blockId(from), ...target, type }
}

/** A journal that is a list, for stores that keep none. */
export class PlainShelf implements Shelf {
  readonly logs = new Map<string, StoredEvent[]>()
  readonly journal: StoredEvent[] = []

  journalOnly(event: StoredEvent): void {
    this.journal.push(event)
  }

  fold(store: Store, event: StoredEvent): void {
    this.journal.push(event)
    store.fold([event])
  }

  catchUp(store: Store): void {
    store.fold(this.journal)
    const inJournal = new Set(this.journal.map(idOf))
    for (const event of this.inLogs()) {
      if (inJournal.has(idOf(event))) continue
      inJournal.add(idOf(event))
      this.fold(store, event)
    }
  }

  inLogs(): StoredEvent[] {
    return [...this.logs.values()].flat()
  }
}

export function idOf({ data }: StoredEvent): string {
  return (data as Order).id
}

/** Questions with a vector, in each space that programs write in and in one that they do not. */
export const VECTOR_QUESTIONS = ['f1', 'f2', 'f3'].map(space => ({
  query: QUESTIONS[0],
  vector: { space, data: Float32Array.of(0.9, -0.2, 0.3) },
}))

/** The answers to a program's questions, in one namespace and in all, without what may differ. */
export function asked(store: Store): unknown[] {
  return [...QUESTIONS.map(query => ({ query })), ...VECTOR_QUESTIONS].flatMap(question =>
    ([NS_A.id, undefined] as const).map(namespace => {
      const scope = namespace === undefined ? ('all' as const) : ('namespace' as const)
      const { counters, ...answer } = store.recall({
        ...question,
        scope,
        namespace: namespace ?? '',
        topK: 20,
        history: true,
      })
      return { ...answer, candidates: counters.candidates, skipped: counters.skipped }
    }),
  )
}
