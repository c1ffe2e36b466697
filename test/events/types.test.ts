/** What the compiler promises. The checks are made by `tsc`; at run time the file only shows that it was not left out. */
import type { Session, SessionEvent } from '@deepseek-ai/dsh-session'
import type { SessionEventMap } from '@deepseek-ai/dsh-session/types'
import { describe, expectTypeOf, it } from 'vitest'
import type {
  CommitEvent,
  EventName,
  MemoryEvent,
  MemoryEventMap,
  MemoryRecordMap,
  PayloadOf,
  RecallEvent,
  RecordName,
  SpaceEvent,
  Verb,
} from '../../src/events/index.ts'
import type { Carrier } from '../../src/plugin/host/carrier/index.ts'
import { commit } from './samples.ts'

/** Never called: its body is for the compiler only. */
function compileOnly(_: () => void): void {}

describe('the event vocabulary in types', () => {
  it('SessionEventMap has our payloads under our names', () => {
    type InTheLog = { [V in Verb]: SessionEventMap[`hologram/${V}`] }
    expectTypeOf<InTheLog>().toEqualTypeOf<{ [V in Verb]: PayloadOf<V> }>()
    expectTypeOf<SessionEventMap['hologram/space']>().toEqualTypeOf<SpaceEvent>()
    expectTypeOf<SessionEventMap['hologram/commit']>().toEqualTypeOf<CommitEvent>()
    expectTypeOf<SessionEventMap['hologram/recall']>().toEqualTypeOf<RecallEvent>()
    expectTypeOf<SessionEvent<'hologram/commit'>['data']>().toEqualTypeOf<CommitEvent>()
  })

  it('every verb has a name, a record name and a payload, and no name is without a verb', () => {
    expectTypeOf<keyof MemoryEventMap>().toEqualTypeOf<EventName>()
    expectTypeOf<keyof MemoryRecordMap>().toEqualTypeOf<RecordName>()
    expectTypeOf<MemoryEvent['verb']>().toEqualTypeOf<Verb>()
    expectTypeOf<PayloadOf<Verb>>().toEqualTypeOf<MemoryEventMap[EventName]>()
    expectTypeOf<PayloadOf<Verb>>().toEqualTypeOf<MemoryRecordMap[RecordName]>()
  })

  it('a payload says nothing at the top level that a web client reads as a place in the conversation', () => {
    expectTypeOf<Extract<keyof PayloadOf<Verb>, 'turn' | 'step'>>().toEqualTypeOf<never>()
  })

  it('a wrong payload does not compile', () => {
    compileOnly(() => {
      const session = {} as Session
      session.append('hologram/commit', commit())
      // @ts-expect-error -- a commit without its text, clock, namespace and id is no payload
      session.append('hologram/commit', { v: 1, origin: 'tool' })
      // @ts-expect-error -- the payload of a commit is not that of a space
      session.append('hologram/space', commit())
      // @ts-expect-error -- there is no such verb
      session.append('hologram/dream', commit())

      const carrier = {} as Carrier
      carrier.append(session, 'commit', commit())
      // @ts-expect-error -- the verb decides the payload
      carrier.append(session, 'recall', commit())
      // @ts-expect-error -- version 2 does not exist yet
      commit({ v: 2 })
      // @ts-expect-error -- an origin is one of the known ones
      commit({ origin: 'somewhere' })
    })
  })
})
