import type { SessionEvent } from '@deepseek-ai/dsh-session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { documentId, readEvent, readSaid } from '../../src/events/index.ts'
import { type ArchiveState, archivedDocs, archiveUnit, endedTurns } from '../../src/projections/index.ts'
import { eventId, payload } from '../events/samples.ts'
import { runs } from '../support/events.ts'
import { foreign, inLog, rubbish, sessionEvent } from './events.ts'

const message = (id: string, kind = 'user', surfaceOp: unknown = 'append') =>
  ({
    ...sessionEvent('user/message', { id, source: { kind }, content: [{ type: 'text', text: id }] }),
    surfaceOp,
  }) as SessionEvent
const answer = (id: string) =>
  ({
    ...sessionEvent('assistant/message', { step: 1, message: { id, content: [] } }),
    surfaceOp: 'append',
  }) as SessionEvent
const call = (callId: string) => sessionEvent('tool/call', { callId, name: 'read', arguments: '{}', step: 1 })
const start = (turn: number) => sessionEvent('turn/start', { turn })
const end = (kind: string) => sessionEvent('turn/end', { turn: 1, reason: { kind } })
const cut = sessionEvent('session/end-seed', {})
const chunk = sessionEvent('assistant/chunk', { turn: 1, step: 1, chunk: {} })
/** `to` is the seq of the last thing it cites. */
const archived = (first: string, to: number, n = to) =>
  sessionEvent('hologram/archive', {
    ...payload('archive'),
    id: eventId(n),
    doc: documentId(first),
    span: { from: 0, to },
  })

function fold(events: readonly SessionEvent[]): ArchiveState {
  return events.reduce((state, event) => archiveUnit.apply(state, event), archiveUnit.init())
}

describe('turns that are to be archived', () => {
  it('one that was archived as it stopped is not among them, one that was aborted is', () => {
    const log = inLog([
      start(1),
      message('m1'),
      answer('a1'),
      archived('m1', 2),
      end('completed'),
      start(2),
      message('m2'),
      call('c1'),
      end('aborted'),
    ])
    const state = fold(log)
    expect(endedTurns(state)).toEqual([{ doc: documentId('m2'), from: 5, to: 7, ended: 'aborted' }])
    expect(archivedDocs(state)).toEqual([documentId('m1')])
    expect(archiveUnit.view(state)).toEqual({ documents: 1, unarchived: 1 })
  })

  it('a turn that goes on after it was archived is open again, and to be archived anew when it ends by force', () => {
    const log = inLog([start(1), message('m1'), archived('m1', 1), message('m2'), answer('a')])
    const open = fold(log)
    expect(open.open).toEqual({ turn: 1, from: 0, last: 4, archived: 1, doc: documentId('m1') })
    const closed = fold(inLog([...log, end('error')]))
    expect(endedTurns(closed)).toEqual([{ doc: documentId('m1'), from: 0, to: 4, ended: 'error' }])
    const again = fold(inLog([...log, end('error'), archived('m1', 4)]))
    expect([endedTurns(again), archivedDocs(again)]).toEqual([[], [documentId('m1')]])
    expect(archiveUnit.view(again)).toEqual({ documents: 1, unarchived: 0 })
  })

  it('a late event that does not reach to the end leaves it among them', () => {
    const state = fold(inLog([start(1), message('m1'), answer('a'), end('error'), archived('m1', 1)]))
    expect([endedTurns(state).length, archivedDocs(state)]).toEqual([1, [documentId('m1')]])
    expect(archiveUnit.view(state)).toEqual({ documents: 1, unarchived: 1 })
  })

  it('turns without a human are not, whatever was said in them', () => {
    const injected = ['plugin', 'agent-message', 'runtime-context', 'schedule'].map(kind => message(kind, kind))
    const summary = message('s', 'user', { op: 'replace', start: 0, end: 1 })
    const state = fold(inLog([start(1), ...injected, summary, answer('a'), call('c'), end('completed')]))
    expect(state.counts).toEqual({ documents: 0, unarchived: 0 })
  })

  it('a turn without an end ended with the beginning of the next; one that a fork was cut within is not ours', () => {
    const log = [start(1), message('m1'), start(2), message('m2')]
    expect(endedTurns(fold(inLog(log)))).toEqual([{ doc: documentId('m1'), from: 0, to: 1, ended: 'interrupted' }])
    const forked = fold(inLog([...log, cut, start(3), message('m3'), end('completed')]))
    expect(endedTurns(forked).map(({ doc }) => doc)).toEqual([documentId('m1'), documentId('m3')])
  })

  it('chunks, foreign events and what cannot be read change nothing, not even the reference', () => {
    const state = fold(inLog([start(1), message('m1')]))
    for (const event of [
      chunk,
      sessionEvent('other/plugin', {}),
      message('x', 'plugin'),
      sessionEvent('hologram/archive', {}),
    ]) {
      expect(archiveUnit.apply(state, event)).toBe(state)
    }
  })

  it('a kind of ending that is nobody’s does no harm', () => {
    const log = [start(1), message('m1'), end('a.b\n=w.1 '), start(2), message('m2'), end('completed')]
    expect(endedTurns(fold(inLog(log))).map(({ ended }) => ended)).toEqual(['abw1', 'completed'])
  })
})

type Draft = (at: number) => SessionEvent
const fixed =
  (one: SessionEvent): Draft =>
  () =>
    one
/** Every message has an id of its own, by where it is; an archive event is about one of those before it. */
const draft: fc.Arbitrary<Draft> = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 4 }).map(turn => fixed(start(turn))) },
  { weight: 3, arbitrary: fc.constantFrom('completed', 'aborted', 'error').map(kind => fixed(end(kind))) },
  { weight: 4, arbitrary: fc.constant<Draft>(at => message(`m${at}`)) },
  { weight: 2, arbitrary: fc.constantFrom(answer('a'), call('c'), chunk, message('p', 'plugin')).map(fixed) },
  {
    weight: 4,
    arbitrary: fc.tuple(fc.nat({ max: 10 }), fc.nat({ max: 4 })).map(
      ([back, behind]): Draft =>
        at =>
          archived(`m${Math.max(0, at - 1 - back)}`, Math.max(0, at - 1 - behind), at),
    ),
  },
  { weight: 1, arbitrary: fc.constant(fixed(cut)) },
  { weight: 1, arbitrary: foreign.map(fixed) },
  { weight: 1, arbitrary: rubbish.map(fixed) },
)
const logs = (maxLength: number) =>
  fc.array(draft, { maxLength, size: 'max' }).map(drafts => inLog(drafts.map((make, at) => make(at))))

/** The same by another way: the log is cut into turns, and each is compared with all that was archived of it. */
function oracle(log: readonly SessionEvent[]) {
  const through = new Map<string, number>()
  for (const { type, data } of log) {
    const read = readEvent(type, data)
    if (read.kind !== 'event' || read.event.verb !== 'archive') continue
    const { doc, span } = read.event.data
    through.set(doc, Math.max(through.get(doc) ?? -1, span?.to ?? -1))
  }
  const starts = log.flatMap(({ type, seq }) => (type === 'turn/start' ? [seq] : []))
  const waiting = starts.flatMap(from => {
    const closing = log.find(({ type, seq }) => seq > from && ENDS.has(type))
    if (closing === undefined || closing.type === 'session/end-seed') return []
    const said = log.slice(from, closing.seq).flatMap(one => readSaid(one) ?? [])
    const first = said.find(one => one.kind === 'message' && one.role === 'user')
    if (first === undefined) return []
    const [doc, to] = [documentId(first.id), said.at(-1)?.seq ?? 0]
    const ended = closing.type === 'turn/end' ? closing.data.reason.kind : 'interrupted'
    return (through.get(doc) ?? -1) >= to ? [] : [{ doc, from, to, ended }]
  })
  return { waiting, docs: new Set(through.keys()) }
}

const ENDS: ReadonlySet<string> = new Set(['turn/start', 'turn/end', 'session/end-seed'])

describe('any interleaving', () => {
  it('is read as going through turn after turn would', () => {
    fc.assert(
      fc.property(logs(40), log => {
        const state = fold(log)
        const expected = oracle(log)
        expect(new Set(archivedDocs(state))).toEqual(expected.docs)
        expect(archiveUnit.view(state)).toEqual({
          documents: expected.docs.size,
          unarchived: endedTurns(state).length,
        })
        expect(endedTurns(state)).toEqual(expected.waiting)
        expect(archiveUnit.isState(structuredClone(state))).toBe(true)
      }),
      runs(300),
    )
  })

  it('a fold that is interrupted and taken up from its stored state ends in the same', () => {
    fc.assert(
      fc.property(logs(30), fc.nat({ max: 30 }), (log, at) => {
        const half: ArchiveState = JSON.parse(JSON.stringify(fold(log.slice(0, at))))
        expect(log.slice(at).reduce((state, one) => archiveUnit.apply(state, one), half)).toEqual(fold(log))
      }),
      runs(100),
    )
  })
})
