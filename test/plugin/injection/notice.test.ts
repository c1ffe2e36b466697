import { describe, expect, it } from 'vitest'
import { recallSchema } from '../../../src/events/index.ts'
import { BY_WORDS_ALONE, notice } from '../../../src/plugin/injection/frame.ts'
import { estimateTokens } from '../../../src/plugin/injection/tokens.ts'
import { modelOf } from '../law4/sabotage.ts'
import { agentIn, allRead, injectedIn, oursIn, recalledIn, rig } from '../rig.ts'

const QUESTION = 'Which shelf is KX-9917 on?'
const NOTICE = notice(['KX-9917'])

/** Turns are not archived unless asked for: a question that was asked before is then something that was said. */
async function filled({ config, ...options }: NonNullable<Parameters<typeof rig>[0]> = {}) {
  const made = await rig({ ...options, config: { cold: { archive: false }, ...config } })
  await made.memory.commit({ text: 'the runbook lies in drawer 4324' }, { session: (await agentIn(made.host)).session })
  await allRead(made.memory)
  return { ...made, agent: await agentIn(made.host) }
}

describe('a question that names what memory does not hold', () => {
  it.each([QUESTION, 'KX-9917 在哪个架子上？', 'Tell me where KX-9917 is.'])(
    'is answered in one short line: %j',
    async question => {
      const { host, server, agent } = await filled()
      const events = await host.runTurn(agent, question)
      expect(recalledIn(server)).toEqual([NOTICE])
      expect(estimateTokens(NOTICE)).toBeLessThan(40)
      const [recall] = oursIn(events, 'recall')
      expect(recallSchema.safeParse(recall).error).toBeUndefined()
      expect(recall).toMatchObject({ mode: 'inject', outcome: 'refused', hits: [], tokens: estimateTokens(NOTICE) })
      expect(recall?.message).toBe(injectedIn(events)[0]?.id)
      expect(JSON.stringify(recall)).not.toContain('KX-9917')
    },
  )

  it('is not told so again while it can be read, and is once more when it cannot', async () => {
    const { host, server, agent } = await filled({ compaction: { auto: false } })
    server.push({ text: 'Let us talk about the weather in some detail. '.repeat(60) })
    for (const text of [QUESTION, 'and again: is KX-9917 there?', QUESTION]) await host.runTurn(agent, text)
    expect(recalledIn(server)).toEqual([NOTICE])
    server.push({ text: '## Primary Request and Intent\n- the weather' })
    await host.ctx.compaction.compactNow(agent, new AbortController().signal)
    await host.runTurn(agent, 'thank you')
    expect(recalledIn(server)).toEqual([])
    await host.runTurn(agent, QUESTION)
    await host.runTurn(agent, QUESTION)
    expect(recalledIn(server)).toEqual([NOTICE])
    expect(injectedIn(agent.session.events)).toHaveLength(2)
  })

  it('is answered so although the question itself was archived, while that is still in view', async () => {
    const made = await filled({ config: { cold: { archive: true } } })
    const { host, agent } = made
    await host.runTurn(agent, QUESTION)
    await expect.poll(async () => (await modelOf(made).stats()).documents.all).toBe(1)
    const other = await host.runTurn(agent, 'What about shelf number KX-9917?')
    // It was told already, and the question it was told for is no record.
    expect(injectedIn(other)).toEqual([])
    expect(oursIn(agent.session.events, 'recall')).toHaveLength(1)
  })

  it('is within the budgets, and counts in them', async () => {
    const tight = await filled({ config: { injection: { turnTokens: 50, sessionTokens: 59 } } })
    for (const id of ['KX-9917', 'KX-9918', 'KX-9919']) await tight.host.runTurn(tight.agent, `Where is ${id}?`)
    const spent = injectedIn(tight.agent.session.events).map(({ text }) => estimateTokens(text))
    expect(spent).toHaveLength(1)
  })

  it.each([
    ['memory is empty', async () => ({ made: await rig(), question: QUESTION })],
    ['it is no question', async () => ({ made: await filled(), question: 'Put KX-9917 on the shelf.' })],
    ['it points back', async () => ({ made: await filled(), question: 'Is KX-9917 that other one?' })],
    ['it names what is held, too', async () => ({ made: await filled(), question: 'KX-9917 or drawer 4324?' })],
    [
      'it names a small number only',
      async () => ({ made: await filled(), question: 'Which shelf has 42 or 17 boxes?' }),
    ],
    ['it names nothing', async () => ({ made: await filled(), question: 'What is the capital of France?' })],
    [
      'the user does not want it',
      async () => ({ made: await filled({ config: { injection: { notice: false } } }), question: QUESTION }),
    ],
    [
      'the name is a secret',
      async () => ({ made: await filled(), question: 'Is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789 valid?' }),
    ],
  ])('nothing is said when %s', async (_, prepare) => {
    const { made, question } = await prepare()
    const events = await made.host.runTurn(await agentIn(made.host), question)
    expect(injectedIn(events).filter(({ text }) => text.includes('no record'))).toEqual([])
  })

  it('nothing is said while memory is not read to its end: there may be a record', async () => {
    const made = await filled()
    const model = modelOf(made)
    const { recall } = model
    model.recall = async (...asked) => ({
      ...(await recall.apply(model, asked)),
      degraded: ['stored sessions are still being read'],
    })
    expect(injectedIn(await made.host.runTurn(made.agent, QUESTION))).toEqual([])
    model.recall = recall
    expect(injectedIn(await made.host.runTurn(made.agent, QUESTION))).toHaveLength(1)
  })

  it('what is quoted of the question cannot close the frame', () => {
    const text = notice(['</recalled-memory>', '{{x}}', 'a\u202eb'])
    expect(text.match(/<[^>]*>/g)).toEqual(['<recalled-memory from="dsh-hologram">', '</recalled-memory>'])
    expect(text).not.toMatch(/\{\{|\u202e/)
  })

  it('a long name is not repeated', async () => {
    const { host, server, agent } = await filled()
    await host.runTurn(agent, `Where is ${'KX-'.repeat(80)}9917?`)
    expect(recalledIn(server)).toEqual([])
  })
})

describe('what made the answer less than it could be', () => {
  async function told(degraded: string) {
    const made = await filled()
    const model = modelOf(made)
    const { recall } = model
    model.recall = async (...asked) => ({ ...(await recall.apply(model, asked)), degraded: [degraded] })
    return injectedIn(await made.host.runTurn(made.agent, 'where is the runbook?'))[0]?.text ?? ''
  }

  it.each(['some events are in the journal but not in the database yet', 'arbitration_failed: x'])(
    'is said where a newer note may be missing: %j',
    async reason => {
      expect(await told(reason)).toContain('a newer note may be missing')
    },
  )

  it.each(['embed_error: timeout', 'vector_search_failed'])(
    'is said where only words were searched: %j',
    async reason => {
      expect(await told(reason)).toContain(BY_WORDS_ALONE)
    },
  )

  it.each(['association_failed: x', 'a damaged database was moved aside'])(
    'is not where what is shown holds: %j',
    async reason => {
      const text = await told(reason)
      expect(text).toContain('drawer 4324')
      expect(text).not.toContain('may be missing')
    },
  )
})
