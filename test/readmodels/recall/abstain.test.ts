import { describe, expect, it } from 'vitest'
import { ask, emptyMemory, memoryOfNotes } from './memory.ts'

describe('case 14: what is not stored', () => {
  const db = memoryOfNotes(
    'svc a uses port 8443',
    'deploy window is friday',
    'Build-Alpha-7 passed',
    { text: 'hidden 9999', ns: 2 },
    { text: 'only in s1: 5555', sources: ['s1'] },
  )

  it.each([
    'QQQQ-THIS-TOKEN-IS-NOT-STORED-7731',
    'port 9999',
    '端口9999是谁的',
    '10.9.9.9',
    'what is ERR_4042',
    'svc 18443',
    'deploy v9.9.1',
    '部署窗口 build-omega-3',
  ])('%s is refused', query => {
    const result = ask(db, query)
    expect(result).toMatchObject({ hits: [], outcome: 'refused', notice: expect.stringContaining('no record') })
    expect(result.notice).toContain('does not mean it is false')
  })

  it.each([
    '有3个服务吗',
    '那个端口',
    '上次的9999',
    'is it 9999',
    'what about 8443 or 9999',
    'port 8443',
    'svc a',
    'build-alpha-7',
    'deploy window',
    'self-care',
    'and/or',
    'what happened on 18 August 2023',
    'v5',
    '2023年8月',
  ])('%s is not', query => {
    expect(ask(db, query).outcome).not.toBe('refused')
  })

  it('asks only what the request may see', () => {
    expect(ask(db, '9999', { namespaces: [1, 2] }).outcome).toBe('hits')
    expect(ask(db, '5555').outcome).toBe('hits')
    expect(ask(db, '8443', { sessions: ['s1'] }).outcome).toBe('refused')
  })

  it('does not take a passage of talk for a look-up', () => {
    expect(ask(db, 'I walked 4711 steps. It was nice. The svc is fine. We will see about the deploy.').outcome).toBe(
      'hits',
    )
  })
})

describe('outcomes', () => {
  it('tells nothing stored from nothing found', () => {
    expect(ask(emptyMemory(), 'anything').outcome).toBe('nothing_stored')
    const db = memoryOfNotes('alpha')
    expect(ask(db, 'omega')).toMatchObject({ outcome: 'below_floor', hits: [] })
    expect(ask(db, 'alpha', { namespaces: [7] }).outcome).toBe('nothing_stored')
    expect(ask(db, 'alpha', { namespaces: [] }).outcome).toBe('nothing_stored')
    expect(ask(db, 'alpha', { filters: { source: 'nobody' } }).outcome).toBe('nothing_stored')
    expect(ask(db, 'alpha omega', { floor: 0.99 })).toMatchObject({
      outcome: 'below_floor',
      counters: { skipped: { below_floor: 1 } },
    })
  })
  it('names what failed and does not throw', () => {
    const db = memoryOfNotes('alpha')
    db.exec('DROP TABLE memory_blocks_fts')
    expect(() => ask(db, 'alpha')).toThrow(/degraded: search_failed/)
  })
})
