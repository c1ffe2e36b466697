import type { SessionEvent } from '@deepseek-ai/dsh-session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockId } from '../../src/events/index.ts'
import { awaitedIn, injectedIn, lookedUpIn, recallUnit } from '../../src/projections/index.ts'
import { eventId, recall } from '../events/samples.ts'
import { foreign, inLog, ours, rubbish, sessionEvent } from './events.ts'

const fold = (events: readonly SessionEvent[]) =>
  events.reduce((state, event) => recallUnit.apply(state, event), recallUnit.init())

const SOURCE = { kind: 'plugin', plugin: 'dsh-hologram', form: 'recall' }
const message = (id: unknown, source: unknown = SOURCE): SessionEvent => sessionEvent('user/message', { id, source })

function inject(id: string, ...texts: string[]): SessionEvent {
  const hits = texts.map(text => ({ block: blockId(text), score: 1, exact: false, why: '' }))
  return ours('recall', recall({ message: id, hits, tokens: texts.length * 10 }))
}

describe('what was injected', () => {
  it('counts once the log holds the message, and has its seq', () => {
    const log = inLog([inject('m1', 'a', 'b'), message('other'), message('m1')])
    expect(injectedIn(fold(log.slice(0, 2)))).toEqual([])
    expect(recallUnit.view(fold(log.slice(0, 2)))).toEqual({ injections: 0 })
    expect(injectedIn(fold(log))).toEqual([{ message: 'm1', seq: 2, tokens: 20, blocks: [blockId('a'), blockId('b')] }])
    expect(recallUnit.view(fold(log))).toEqual({ injections: 1 })
  })

  it('is what the naive reading says: every message of ours the log holds after its recall, in order', () => {
    // per injection: how many other injections come before its message does, if it ever does
    const delays = fc.array(fc.option(fc.integer({ min: 0, max: 3 })), { maxLength: 20 })
    const noise = fc.infiniteStream(fc.option(fc.oneof(foreign, rubbish)))
    fc.assert(
      fc.property(delays, noise, (plan, between) => {
        const log: SessionEvent[] = []
        const due = new Map<number, string[]>()
        const put = (event: SessionEvent) => {
          log.push(event)
          const other = between.next().value
          if (other !== null && other !== undefined) log.push(other)
        }
        for (let at = 0; at < plan.length + 4; at++) {
          const delay = plan[at]
          if (at < plan.length) put(inject(`m${at}`, `fact ${at}`))
          if (delay !== null && delay !== undefined) due.set(at + delay, [...(due.get(at + delay) ?? []), `m${at}`])
          for (const id of due.get(at) ?? []) put(message(id))
        }
        const events = inLog(log)
        const expected = plan.flatMap((delay, at) => {
          const found = events.find(
            ({ type, data }) => type === 'user/message' && (data as { id: string }).id === `m${at}`,
          )
          if (delay === null || found === undefined) return []
          return [{ message: `m${at}`, seq: found.seq, tokens: 10, blocks: [blockId(`fact ${at}`)] }]
        })
        expect(injectedIn(fold(events))).toEqual(expected)
        expect(recallUnit.view(fold(events))).toEqual({ injections: expected.length })
      }),
    )
  })

  it.each(['a b', ' ', 'a  7 blk_x', 'zeile\nzwei', '信息 1', 'a,b'])('message ids may be any text, such as %j', id => {
    expect(injectedIn(fold(inLog([inject(id, 'a'), message(id)])))).toEqual([
      { message: id, seq: 1, tokens: 10, blocks: [blockId('a')] },
    ])
    expect(injectedIn(fold(inLog([inject(id, 'a'), message('a')])))).toEqual([])
  })

  it('a message that comes twice counts once, at its first seq', () => {
    const state = fold(inLog([inject('m', 'a'), message('m'), message('m')]))
    expect(injectedIn(state).map(({ seq }) => seq)).toEqual([1])
  })

  it('a message that only says what memory does not hold counts too, and stands for no block', () => {
    const log = inLog([ours('recall', recall({ message: 'm', hits: [], tokens: 30 })), message('m')])
    expect(injectedIn(fold(log))).toEqual([{ message: 'm', seq: 1, tokens: 30, blocks: [] }])
  })

  it('is awaited, at the seq of its recall, until its message is there', () => {
    const log = inLog([inject('a', 'x'), inject('b', 'y', 'z'), message('a'), inject('c', 'w')])
    expect(awaitedIn(fold(log))).toEqual([
      { message: 'b', seq: 1, tokens: 20, blocks: [blockId('y'), blockId('z')] },
      { message: 'c', seq: 3, tokens: 10, blocks: [blockId('w')] },
    ])
    expect(injectedIn(fold(log))).toEqual([{ message: 'a', seq: 2, tokens: 10, blocks: [blockId('x')] }])
  })

  it('the messages of all tools of one step find their recalls', () => {
    const ids = Array.from({ length: 40 }, (_, n) => `m${n}`)
    const log = inLog([...ids.map(id => inject(id, id)), ...ids.map(id => message(id))])
    expect(injectedIn(fold(log)).map(one => one.message)).toEqual(ids)
  })

  it('a message before its recall is another one', () => {
    expect(injectedIn(fold(inLog([message('m'), inject('m', 'a')])))).toEqual([])
  })

  it('recalls by call, or without a message, inject nothing', () => {
    const state = recallUnit.init()
    for (const event of [
      ours('recall', recall({ mode: 'tool', hits: [] })),
      ours('recall', recall({ mode: 'api', message: 'm' })),
      ours('recall', recall()),
    ]) {
      expect(recallUnit.apply(state, event)).toBe(state)
    }
  })

  it('what the model looked up is there once a result shows all of it, and is no injection', () => {
    const hits = ['a', 'b'].map(text => ({ block: blockId(text), score: 1, exact: false, why: '' }))
    const result = (...texts: string[]) => {
      const content = [{ type: 'text', text: texts.map(text => `<note id="${blockId(text)}">`).join('\n') }]
      return sessionEvent('tool/result', { message: { content } })
    }
    const log = inLog([
      ours('recall', recall({ mode: 'tool', hits })),
      result('a'),
      result('b', 'c', 'a'),
      result('a', 'b'),
    ])
    expect(lookedUpIn(fold(log.slice(0, 2)))).toEqual([])
    expect(lookedUpIn(fold(log))).toMatchObject([{ seq: 2, blocks: [blockId('a'), blockId('b')] }])
    expect([injectedIn(fold(log)), awaitedIn(fold(log))]).toEqual([[], []])
    for (const data of [undefined, null, {}, { message: 7 }]) {
      const state = fold(log.slice(0, 1))
      expect(recallUnit.apply(state, sessionEvent('tool/result', data))).toBe(state)
    }
  })

  it('messages of others give the same state back, however they look', () => {
    const state = fold([inject('m', 'a')])
    for (const event of [message('x'), message(undefined), message(7), sessionEvent('user/message', undefined)]) {
      expect(recallUnit.apply(state, event)).toBe(state)
    }
  })

  it('its state is plain JSON and its view of constant size, however much was injected', () => {
    const many = Array.from({ length: 500 }, (_, n) => [
      ours('recall', recall({ id: eventId(n), message: `m${n}` })),
      message(`m${n}`),
    ]).flat()
    const state = fold(inLog(many))
    expect(JSON.parse(JSON.stringify(state))).toEqual(state)
    expect(recallUnit.view(state)).toEqual({ injections: 500 })
  })

  it('a message that is not ours counts for nothing, whatever a recall event says of it', () => {
    const said = ours('recall', recall({ message: 'm', tokens: 1_000_000 }))
    for (const source of [{ kind: 'user' }, { kind: 'plugin', plugin: 'other', form: 'recall' }, undefined, null]) {
      const state = [said, message('m', source ?? {})].reduce(recallUnit.apply, recallUnit.init())
      expect(injectedIn(state)).toEqual([])
    }
  })
})
