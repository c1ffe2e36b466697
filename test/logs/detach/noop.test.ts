/** The no-op in replay, on the real inbox and session, in the middle of arbitrary inbox traffic. */

import { Inbox } from '@deepseek-ai/dsh-agent'
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import { KNOWN_SESSION_EVENT_TYPES, Session, type SessionEvent, SessionId } from '@deepseek-ai/dsh-session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NOOP_TYPE, noopLine } from '../../../src/logs/detach/noop.ts'
import { runs } from '../../support/events.ts'
import { derived, NOOP, words } from './sessions.ts'

const quiet = { inserted: () => {}, discarded: () => {}, claimed: () => {} }

type Move =
  | { readonly kind: 'append' | 'prepend'; readonly target: 'next-turn' | 'next-step' }
  | { readonly kind: 'replace' | 'remove'; readonly pick: number }
  | { readonly kind: 'claim'; readonly target: 'next-turn' | 'next-step' }
  | { readonly kind: 'clear' | 'start' | 'end' | 'step' }

const target = fc.constantFrom('next-turn' as const, 'next-step' as const)
const arbMoves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom('append' as const, 'prepend' as const), target }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constantFrom('replace' as const, 'remove' as const), pick: fc.nat() }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('claim' as const), target }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('clear', 'start', 'end', 'step') }) },
  ),
  { maxLength: 30 },
)

/** A session that has made these moves. */
function played(moves: readonly Move[]): readonly SessionEvent[] {
  const session = Session.create(SessionId('played'))
  const inbox = new Inbox(session, quiet)
  let turn = 1
  for (const move of moves) {
    const pending = [...inbox.nextTurn, ...inbox.nextStep]
    const picked = 'pick' in move ? pending[move.pick % Math.max(1, pending.length)] : undefined
    if (move.kind === 'append' || move.kind === 'prepend') inbox[move.kind](move.target, words('m'))
    else if (move.kind === 'claim') {
      for (const message of inbox.claim(move.target, turn))
        session.append('user/message', message, { surfaceOp: 'append' })
    } else if (move.kind === 'clear') inbox.clear()
    else if (move.kind === 'start') session.append('turn/start', { turn })
    else if (move.kind === 'step') session.append('step/start', { turn, step: 1 })
    else if (move.kind === 'end') session.append('turn/end', { turn: turn++, reason: { kind: 'completed' } })
    else if (picked !== undefined && move.kind === 'remove') inbox.remove(picked.id)
    else if (picked !== undefined) inbox.replace(picked.id, words('n'))
  }
  return session.events
}

/** The log with events put in at these places, the seqs of the rest moved up. */
function interspersed(
  events: readonly SessionEvent[],
  places: ReadonlySet<number>,
  make: (seq: number) => object,
): SessionEvent[] {
  const out: object[] = []
  for (let n = 0; n <= events.length; n++) {
    if (places.has(n)) out.push(make(out.length))
    const event = events[n]
    if (event !== undefined) out.push({ ...event, seq: out.length })
  }
  return out as SessionEvent[]
}

describe('the no-op', () => {
  it('is the event the inbox would write for nothing, unmarked, and every host knows its type', () => {
    expect(JSON.parse(noopLine(7, 1_700_000_000_000))).toEqual({
      type: NOOP_TYPE,
      seq: 7,
      time: 1_700_000_000_000,
      data: NOOP,
    })
    expect(KNOWN_SESSION_EVENT_TYPES.has(NOOP_TYPE)).toBe(true)
  })

  it('in the place of any event of ours, leaves inbox, surface, messages and consumed work as they were', () => {
    fc.assert(
      fc.property(arbMoves, fc.array(fc.nat({ max: 40 }), { maxLength: 12 }), (moves, at) => {
        const events = played(moves)
        const places = new Set(at)
        const attached = interspersed(events, places, seq => ({
          type: 'hologram/commit',
          seq,
          time: 1,
          data: {},
          ignorable: true,
        }))
        const detached = interspersed(events, places, seq => JSON.parse(noopLine(seq, 1)))
        expect(derived(detached)).toEqual(derived(attached))
      }),
      runs(1_000),
    )
  })

  it('control: a splice that is not empty would not pass this', () => {
    const events = played([{ kind: 'append', target: 'next-turn' }])
    const message = createUserMessage({ content: [], source: { kind: 'user' } })
    const spliced = interspersed(events, new Set([1]), seq => ({
      type: NOOP_TYPE,
      seq,
      time: 1,
      data: { ...NOOP, inserted: [message] },
    }))
    expect(derived(spliced)).not.toEqual(
      derived(interspersed(events, new Set([1]), seq => JSON.parse(noopLine(seq, 1)))),
    )
  })
})
