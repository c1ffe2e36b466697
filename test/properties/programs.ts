/** Programs of every command, over sessions, forks, resumes, crashes, two namespaces and two processes: what to do, as data. */
import fc from 'fast-check'
import { type Frame, ORIGINS } from '../../src/events/index.ts'
import { arbFrame, arbText, TEXTS } from '../support/events.ts'

/** Questions that the texts of programs answer. */
export const QUESTIONS = ['what is the staging port?', 'svc|port', 'ERR_CONN_42'] as const

/** What edges, merges and purges are about: few texts, so that they meet; the last is never committed. */
const SAID_FIRST = [TEXTS[0], TEXTS[3], TEXTS[4], TEXTS[6]] as const
const arbSaid = fc.constantFrom(...SAID_FIRST)
const arbNamed = fc.oneof(
  { weight: 9, arbitrary: arbSaid },
  { weight: 1, arbitrary: fc.constantFrom(TEXTS[7], 'said by nobody') },
)
const arbEverywhere = fc.oneof(
  { weight: 3, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
)
const arbField = fc.constantFrom('', '', 'left', 'a/b')

const arbEdge = {
  from: fc.oneof(fc.constant(TEXTS[0]), arbNamed),
  /** A text, or the name of an entity. */
  to: fc.oneof(
    arbNamed.map(text => ({ text })),
    fc.constant({ entity: 'staging' }),
  ),
  type: fc.constantFrom('supersedes', 'near'),
}

const arbCommand = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constant('commit' as const),
      text: fc.oneof(arbSaid, arbText),
      source: arbField,
      scene: arbField,
      origin: fc.oneof(
        { weight: 2, arbitrary: fc.constant('tool' as const) },
        { weight: 1, arbitrary: fc.constantFrom(...ORIGINS) },
      ),
      frame: fc.option<Frame, undefined>(arbFrame, { nil: undefined, freq: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('recall' as const), query: fc.constantFrom(...QUESTIONS) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('link' as const), ...arbEdge, confidence: fc.constantFrom(0, 0.5, 1) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('unlink' as const), ...arbEdge }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('merge' as const),
      keep: arbNamed,
      drop: arbNamed,
      everywhere: arbEverywhere,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('purge' as const),
      texts: fc.array(arbNamed, { minLength: 1, maxLength: 2 }),
      everywhere: arbEverywhere,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('embed' as const),
      text: arbNamed,
      fingerprint: fc.constantFrom('f1', 'f2'),
      values: fc.constantFrom([1, 0, 0], [0, -0.5, 1]),
    }),
  },
)

/**
 * How far an event gets before its process is killed. `logged`: into its session's log, and no further. `journaled`: it
 * is in the journal too, not in the database. `unlogged`: journaled and folded, but what its session's log held of it,
 * and of what came after the last flush, is lost.
 */
const arbFate = fc.oneof(
  { weight: 9, arbitrary: fc.constant('done' as const) },
  { weight: 1, arbitrary: fc.constantFrom('logged' as const, 'journaled' as const, 'unlogged' as const) },
)

const arbStep = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('command' as const),
      process: fc.nat({ max: 1 }),
      /** Which of the sessions there are by then; the first two stand for none, in either namespace. */
      session: fc.nat({ max: 9 }),
      fate: arbFate,
      command: arbCommand,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('fork' as const),
      session: fc.nat({ max: 9 }),
      after: fc.nat({ max: 9 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('catch up' as const), process: fc.nat({ max: 1 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lose database' as const), process: fc.nat({ max: 1 }) }) },
)

export const arbProgram = fc.record({
  steps: fc.array(arbStep, { minLength: 3, maxLength: 18, size: 'max' }),
  seed: fc.nat(),
})

/** What every program begins with, so that there is something to link, merge and purge: most texts in both namespaces. */
export const BEGINNING: readonly CommandStep[] = [0, 1].flatMap(namespace =>
  SAID_FIRST.slice(0, 4 - namespace).map(
    (text, n): CommandStep => ({
      kind: 'command',
      process: 0,
      session: namespace + (n % 2) * 2,
      fate: 'done',
      command: { do: 'commit', text, source: '', scene: '', origin: 'tool', frame: undefined },
    }),
  ),
)

type Of<A> = A extends fc.Arbitrary<infer T> ? T : never
export type Program = Of<typeof arbProgram>
export type Step = Of<typeof arbStep>
export type CommandStep = Extract<Step, { kind: 'command' }>
export type Command = Of<typeof arbCommand>
