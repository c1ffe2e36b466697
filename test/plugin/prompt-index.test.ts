import { describe, expect, it } from 'vitest'
import { promptIndex, registerPromptIndex } from '../../src/plugin/prompt-index.ts'
import { textsOf } from '../support/model-server.ts'
import { tempDir } from '../support/temp.ts'
import { agentIn, boot, rig } from './rig.ts'

/** The line as the model has been told it so far, in order. */
const told = (texts: readonly string[]) =>
  texts.flatMap(text => text.match(/Long-term memory \(dsh-hologram\) is on[^\n]*/g) ?? [])

const NOTES = { toolName: 'notes', coldName: 'turns' }
const USUAL = { toolName: 'stablemem', coldName: 'coldcontext' }

describe('the prompt index', () => {
  it.each([true, false])('says what memory does not do, and names its tools (empty: %s)', isEmpty => {
    const line = promptIndex(NOTES, isEmpty)
    for (const part of ['`notes_recall`', '`notes_commit`', 'never put back', 'decided by the host', 'text only']) {
      expect(line).toContain(part)
    }
    // Where there is nothing yet there is no turn to look for either.
    expect(line.includes('`turns_query`')).toBe(!isEmpty)
    expect(line).not.toMatch(/\n|\{\{|\d/)
  })

  it('changes once, when memory gets its first note, and never again', async () => {
    const { host, server } = await boot()
    let isEmpty = true
    await host.mount({
      name: 'index',
      inject: ['systemPrompt'],
      apply: ctx => registerPromptIndex(ctx, NOTES, () => isEmpty),
    })
    const agent = await agentIn(host)
    for (const text of ['hello', 'hello again']) await host.runTurn(agent, text)
    expect(told(textsOf(server.last(), 'user'))).toEqual([promptIndex(NOTES, true)])
    isEmpty = false
    for (const text of ['hello', 'hello again']) await host.runTurn(agent, text)
    expect(told(textsOf(server.last(), 'user'))).toEqual([promptIndex(NOTES, true), promptIndex(NOTES, false)])
  })

  it('speaks of notes as soon as there is one, and is in no system section', async () => {
    const { host, server, memory } = await rig()
    const agent = await agentIn(host)
    await host.runTurn(agent, 'hello')
    for (const n of [1, 2, 3]) {
      await memory.commit({ text: `note ${n}` }, { session: agent.session })
      await host.runTurn(agent, 'hello')
    }
    const lines = told(textsOf(server.last(), 'user'))
    expect(lines.at(-1)).toBe(promptIndex(USUAL, false))
    // A harness that starts too slowly to know that memory is empty says nothing of it.
    expect(lines.slice(0, -1)).toEqual(lines.length === 1 ? [] : [promptIndex(USUAL, true)])
    expect(textsOf(server.last(), 'system').join()).not.toContain('dsh-hologram')
  })

  it('is that of a memory with notes from the first turn on, after a restart', async () => {
    const home = tempDir()
    const earlier = await rig({ home })
    await earlier.memory.commit({ text: 'a note' }, { session: (await agentIn(earlier.host)).session })
    await earlier.host.stop()
    const { host, server } = await rig({ home })
    await host.runTurn(await agentIn(host), 'hello')
    expect(told(textsOf(server.last(), 'user'))).toEqual([promptIndex(USUAL, false)])
  })
})
