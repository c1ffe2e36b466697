import { describe, expect, it } from 'vitest'
import { questionOf } from '../../../src/plugin/injection/question.ts'
import { humanWords } from '../../../src/plugin/injection/words.ts'
import { agentIn, boot, rig } from '../rig.ts'
import { recalled } from '../tools/call.ts'
import { INTACT, NOTE, QUESTION, ready, turn } from './sabotage.ts'

/** Ten megabytes of what people paste, with the question at the end. */
const LINE = '2026-11-30T21:15:00Z WARN svc-beta {"a": "b"} retry 17 of 20 "quoted" 用户身份\n'
const PASTED = LINE.repeat(Math.ceil(10_000_000 / LINE.length))
const HUGE = `${PASTED}\n${QUESTION}`

describe('a question of ten megabytes', () => {
  it('arrives whole, and the turn takes about as long as without us', async () => {
    const plain = await boot()
    const without = await turn(plain, await agentIn(plain.host), HUGE)
    const made = await rig()
    const withUs = await turn(made, await ready(made), HUGE)
    expect(withUs).toMatchObject({ end: INTACT.end, words: HUGE })
    expect(withUs.milliseconds).toBeLessThan(without.milliseconds + 1_500)
  })

  it('is read at its beginning and its end, and reduced to what it asks and names', () => {
    const words = humanWords([
      { content: [{ type: 'text', text: HUGE }], source: { kind: 'user' } } as Parameters<typeof humanWords>[0][number],
    ])
    expect(words.length).toBeLessThanOrEqual(32_001)
    expect(words.startsWith(LINE) && words.endsWith(QUESTION)).toBe(true)
    expect(questionOf(words)).toEqual({ words: QUESTION, names: 'svc-beta' })
  })

  it('finds what it asks for, under all that was pasted', async () => {
    const made = await rig()
    expect(await turn(made, await ready(made), HUGE)).toMatchObject({ injected: true })
  })

  it('is answered by the tool too, in bounded time', async () => {
    const made = await rig()
    const agent = await ready(made)
    const started = performance.now()
    const answer = await recalled(made.host, HUGE, agent)
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(answer.outcome).not.toBe('unavailable')
    expect((await recalled(made.host, QUESTION, agent)).hits[0]?.text).toBe(NOTE)
  })

  it('of blanks, of one word, of quotes or of one character leaves the turn intact', async () => {
    const made = await rig()
    await ready(made)
    for (const text of [
      ' '.repeat(10_000_000),
      'x'.repeat(10_000_000),
      '"'.repeat(10_000_000),
      '用'.repeat(3_000_000),
    ]) {
      const result = await turn(made, await agentIn(made.host), text)
      expect(result.end).toEqual(INTACT.end)
      expect(result.words?.length).toBe(text.length)
    }
  })
})
