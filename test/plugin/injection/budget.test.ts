import { describe, expect, it } from 'vitest'
import { choose } from '../../../src/plugin/injection/choose.ts'
import { frame } from '../../../src/plugin/injection/frame.ts'
import { cutToTokens, estimateTokens } from '../../../src/plugin/injection/tokens.ts'
import { agentIn, injectedIn, oursIn, rig } from '../rig.ts'
import { hitOf } from './hit.ts'

const NOTES = Array.from({ length: 12 }, (_, n) => `cabinet ${n} holds ${'spare parts and cables '.repeat(20)}`)

/** A memory of long notes, and a session that asks for all of them again and again. */
async function asked(injection: object, turns: number) {
  const { host, memory } = await rig({ config: { injection } })
  const { session } = await agentIn(host)
  for (const text of NOTES) await memory.commit({ text }, { session })
  const agent = await agentIn(host)
  for (let turn = 0; turn < turns; turn++) await host.runTurn(agent, 'which cabinet holds spare parts and cables?')
  return { injected: injectedIn(agent.session.events), recalls: oursIn(agent.session.events, 'recall') }
}

describe('the budget', () => {
  it('of one step holds, counted on the very message', async () => {
    const { injected } = await asked({ turnTokens: 500, topK: 12 }, 1)
    expect(injected).toHaveLength(1)
    const [{ text } = { text: '' }] = injected
    expect(estimateTokens(text)).toBeLessThanOrEqual(500)
    expect(text.match(/<note /g)?.length).toBeGreaterThan(1)
  })

  it('of a session holds over its turns, and then no more is injected', async () => {
    const { injected, recalls } = await asked({ turnTokens: 400, sessionTokens: 1_000, topK: 12 }, 8)
    const spent = injected.map(({ text }) => estimateTokens(text))
    expect(spent.reduce((sum, tokens) => sum + tokens, 0)).toBeLessThanOrEqual(1_000)
    expect(injected.length).toBeGreaterThan(1)
    expect(injected.length).toBeLessThan(8)
    expect(recalls.map(({ tokens }) => tokens)).toEqual(spent)
  })

  it('counts memories: at most topK in one step, and others in the next', async () => {
    const { injected } = await asked({ topK: 2, turnTokens: 5_000 }, 2)
    const ids = injected.map(({ text }) => text.match(/<note id="[^"]*"/g) ?? [])
    expect(ids.map(list => list.length)).toEqual([2, 2])
    expect(new Set(ids.flat()).size).toBe(4)
  })

  it('too small for anything injects nothing', async () => {
    expect((await asked({ turnTokens: 50 }, 2)).injected).toEqual([])
  })

  it('a memory below the floor is not worth its tokens', async () => {
    expect((await asked({ floor: 1 }, 1)).injected).toEqual([])
  })

  it('is 1200 tokens a step unless configured', async () => {
    const { injected } = await asked({}, 1)
    expect(estimateTokens(injected[0]?.text ?? '')).toBeLessThanOrEqual(1_200)
  })
})

describe('a note that is too long', () => {
  const visible = { spent: 0, spentInTurn: 0, sees: () => false, seesPage: () => false, reads: () => false }
  const budget = { topK: 5, pages: 3, turnTokens: 1_200, sessionTokens: 20_000 }

  it.each(['"', '<', '{{', '用', '😀', 'word ', '\u202e', '\u0301'])(
    'is cut, and the message stays within the budget: %j',
    piece => {
      const hits = Array.from({ length: 15 }, (_, n) => hitOf({ text: `${n} ${piece.repeat(30_000)}` }))
      const shown = choose({ hits, pages: [] }, visible, budget, estimateTokens)
      expect(estimateTokens(frame(shown))).toBeLessThanOrEqual(1_200)
    },
  )

  it.each(['"', '<', '{{', '用', '😀', 'word ', '\u202e', '\u0301'])('takes the host no time to cut: %j', piece => {
    const hits = Array.from({ length: 15 }, (_, n) => hitOf({ text: `${n} ${piece.repeat(30_000)}` }))
    choose({ hits, pages: [] }, visible, budget, estimateTokens)
    const started = performance.now()
    choose({ hits, pages: [] }, visible, budget, estimateTokens)
    expect(performance.now() - started).toBeLessThan(100)
  })

  it('takes no time to cut with the largest budget there may be either', () => {
    const started = performance.now()
    const text = cutToTokens('word '.repeat(200_000), 100_000)
    expect(performance.now() - started).toBeLessThan(2_000)
    expect(estimateTokens(text)).toBeGreaterThan(99_000)
    expect(estimateTokens(text)).toBeLessThanOrEqual(100_001)
  })
})
