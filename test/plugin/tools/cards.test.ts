/** What a person sees of a call: while it runs, when it is done, and when it failed. */
import type { ToolExecutionResult } from '@deepseek-ai/dsh-tools'
import { beforeAll, describe, expect, it } from 'vitest'
import { blockId } from '../../../src/events/index.ts'
import { agentIn, type Rig, rig } from '../rig.ts'
import { callTool } from './call.ts'

const FACT = 'a "tag" <b> & {{x}} \u202e\nlies in drawer 17'
const ID = blockId(FACT)
const OTHER = 'the kettle is new'

let made: Rig
let call: (verb: string, args: object) => Promise<ToolExecutionResult>

beforeAll(async () => {
  made = await rig({ keep: true })
  const agent = await agentIn(made.host)
  call = (verb, args) => callTool(made.host, `stablemem_${verb}`, args, agent)
  await made.memory.commit({ text: FACT, scene: 'desk' }, { session: agent.session })
  await made.memory.commit({ text: OTHER }, { session: agent.session })
})

const tool = (verb: string) => made.host.ctx.tools.get(`stablemem_${verb}`)

function running(verb: string, args: unknown): string | undefined {
  const view = tool(verb)?.presentCall?.(args)
  if (view !== undefined && view.card !== 'generic') throw new Error('not a generic card')
  return view?.title
}

async function over(verb: string, args: object): Promise<{ title: string | undefined; text: string | undefined }> {
  const { content, isError } = await call(verb, args)
  const view = tool(verb)?.presentResult?.(args, { content, isError })
  if (view?.card !== 'generic') throw new Error('not a generic card')
  const [block] = view.content ?? []
  return { title: view.title, text: block?.type === 'text' ? block.text : undefined }
}

describe('a card', () => {
  it('says what is remembered, and whether it was known or refused', async () => {
    const args = { text: 'the lamp is on\nsince noon' }
    expect(running('commit', args)).toBe('Remember: the lamp is on')
    expect((await over('commit', args)).title).toBe('Remembered: the lamp is on')
    expect((await over('commit', args)).title).toBe('Known already: the lamp is on')
    expect((await over('commit', { text: ' ' })).title).toBe('Not remembered')
  })

  it('lists what was recalled as it was said, with time, id and reason', async () => {
    expect(running('recall', { query: 'drawer 17' })).toBe('Recall: drawer 17')
    expect(running('recall', { query: '', scene: 'desk' })).toBe('Recall: scene desk')
    const { title, text } = await over('recall', { query: 'drawer 17' })
    expect(title).toBe('Recalled 1 memory: drawer 17')
    const [first, second, third] = text?.split('\n') ?? []
    expect([first, second]).toEqual(['1. a "tag" <b> & {{x}} \u202e', '   lies in drawer 17'])
    expect(third).toMatch(new RegExp(`^ {3}\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC, desk · ${ID} · .`))
    expect((await over('recall', { query: 'kettle or drawer 17' })).title).toBe(
      'Recalled 2 memories: kettle or drawer 17',
    )
    const nothing = await over('recall', { query: 'port 9999' })
    expect(nothing.title).toBe('No record: port 9999')
    expect(nothing.text).toContain('no record')
  })

  it('names the two ends of a tie and of a merge, the ids that are forgotten, and whose history it is', async () => {
    const edge = { type: 'about', sourceKind: 'block', sourceId: ID, targetKind: 'entity', targetId: 'desk' }
    expect(running('link', edge)).toBe(`Link: ${ID} about desk`)
    expect((await over('link', edge)).title).toBe(`Linked: ${ID} about desk`)
    expect(running('link', { ...edge, remove: true })).toBe(`Unlink: ${ID} about desk`)
    expect((await over('link', { ...edge, remove: true })).title).toBe(`Unlinked: ${ID} about desk`)
    expect((await over('link', { ...edge, type: 'two words' })).title).toBe(`Not linked: ${ID} two words desk`)
    const [one, two] = ['blk_1', 'blk_2']
    expect(running('merge', { keep: one, drop: two })).toBe('Merge: blk_2 into blk_1')
    expect((await over('merge', { keep: one, drop: two })).title).toBe('Not merged: blk_2 into blk_1')
    expect(running('purge', { ids: [one, two], reason: 'x' })).toBe('Forget: blk_1, blk_2')
    expect((await over('purge', { ids: [one], reason: 'x' })).title).toBe('Not forgotten: blk_1')
    expect((await over('purge', { ids: [blockId(OTHER)], reason: 'x' })).title).toBe(`Forgot: ${blockId(OTHER)}`)
    expect(running('history', { id: ID })).toBe(`History: ${ID}`)
    expect((await over('history', { id: ID })).title).toBe(`History: ${ID}`)
  })

  it('has a short title for whatever text a model sends, and none for what is no text', () => {
    for (const text of ['x\n'.repeat(50_000), `x${'😀'.repeat(60)}`, '', '\0']) {
      const shown = running('commit', { text }) ?? ''
      expect(shown.startsWith('Remember') && shown.length < 100 && shown.isWellFormed()).toBe(true)
    }
    for (const args of [{}, null, 'text', { text: null }]) expect(running('commit', args)).toBeUndefined()
  })

  it('of a result from another version, or of none, is shown all the same', () => {
    for (const content of [[], [{ type: 'text' as const, text: '<note id="x">' }]]) {
      const view = tool('recall')?.presentResult?.({ query: 'x' }, { content, isError: false })
      expect(view).toMatchObject({ card: 'generic', title: 'No record: x' })
    }
    expect(tool('recall')?.presentResult?.({ words: 'x' }, { content: [], isError: false })).toBeUndefined()
  })
})
