import { describe, expect, it } from 'vitest'
import { blockId } from '../../../src/events/index.ts'
import type { HistoryAnswer, RecallAnswer } from '../../../src/readmodels/index.ts'
import { agentIn, rig } from '../rig.ts'
import { callTool, outputOf, textOf } from './call.ts'

const FACT = 'the valve port is 1111'
const SAME = 'valve: port 1111'
const [ID, SAME_ID] = [blockId(FACT), blockId(SAME)]

const call = (name: string, args: object) => ({ toolCalls: [{ name: `stablemem_${name}`, arguments: args }] })

describe('stablemem_history', () => {
  it('lists every event that touched a block, in event order, with session, turn and seq', async () => {
    const edge = { sourceKind: 'block', sourceId: ID, targetKind: 'entity', targetId: 'valve', type: 'mentions' }
    const { host, memory, server } = await rig({
      answers: [call('commit', { text: FACT, source: 'Ada', scene: 'ops' }), { text: 'noted' }],
    })
    const [first, second] = [await agentIn(host), await agentIn(host)]
    await host.runTurn(first, 'remember it')
    server.push(
      call('recall', { query: '1111' }),
      call('commit', { text: ` ${FACT}` }),
      call('commit', { text: SAME }),
      call('link', edge),
      call('merge', { keep: ID, drop: SAME_ID }),
      call('link', { ...edge, remove: true }),
      { text: 'done' },
    )
    await host.runTurn(second, 'and now?')
    await memory.purge({ ids: [SAME_ID], reason: 'asked to' }, { session: first.session })

    const histories = await Promise.all(
      [ID, SAME_ID].map(id => outputOf<HistoryAnswer>(callTool(host, 'stablemem_history', { id }, second))),
    )
    const [{ entries, ids, total } = { entries: [], ids: [], total: 0 }] = histories
    expect(histories[1]?.entries).toEqual(entries)
    expect(ids).toEqual([ID, SAME_ID].sort())
    expect(total).toBe(entries.length)
    expect(entries.map(({ verb, block, session, what }) => [verb, block, session, what])).toEqual([
      ['commit', ID, first.session.id, 'said by tool, and purged since'],
      // What a step's question brings is recorded as well as what the tool returns.
      ...entries.filter(({ verb }) => verb === 'recall').map(({ what }) => ['recall', ID, second.session.id, what]),
      ['commit', ID, second.session.id, 'said by tool, and purged since'],
      ['commit', SAME_ID, second.session.id, 'said by tool, and purged since'],
      ['link', ID, second.session.id, `link block ${ID} mentions entity valve`],
      ['merge', ID, second.session.id, `${SAME_ID} was merged into ${ID}`],
      ['unlink', ID, second.session.id, `unlink block ${ID} mentions entity valve`],
      ['purge', ID, first.session.id, 'purged: asked to'],
    ])
    const sessions = new Map([first, second].map(({ session }) => [String(session.id), session.events]))
    for (const { session, seq, event, turn } of entries) {
      const said = sessions.get(session)?.[seq ?? -1] as { data: { id: string; at: { turn?: number } } } | undefined
      expect([said?.data.id, said?.data.at.turn ?? null]).toEqual([event, turn])
    }
    expect(entries.map(({ clock }) => clock)).toEqual(entries.map(({ clock }) => clock).sort((a, b) => a - b))
  })

  it('says it line by line, and shows another wording', async () => {
    const { host, memory } = await rig()
    const { session } = await agentIn(host)
    const agent = await agentIn(host)
    await memory.commit({ text: FACT, source: 'Ada', scene: 'ops' }, { session })
    await memory.commit({ text: `the valve  port is 1111` }, { session: agent.session })
    const result = await callTool(host, 'stablemem_history', { id: ID }, agent)
    const [now, ...lines] = textOf(result).split('\n')
    expect(now).toBe(`It says: ${FACT}`)
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('said by api: the valve  port is 1111')
    expect(lines[0]).toContain(`session ${session.id}, event ${session.seq - 1}: said by api, source Ada, scene ops`)
    const { entries } = await outputOf<HistoryAnswer>(Promise.resolve(result))
    expect(entries.map(({ wording }) => wording)).toEqual([null, 'the valve  port is 1111'])
  })

  it('knows nothing of another project, and says so', async () => {
    const { host, memory } = await rig()
    await memory.commit({ text: FACT }, { session: (await agentIn(host)).session })
    const elsewhere = await host.createAgent({ sessionId: 'elsewhere' })
    for (const id of [ID, blockId('said by nobody')]) {
      const result = await callTool(host, 'stablemem_history', { id }, elsewhere)
      expect(result).toMatchObject({
        isError: false,
        value: { id, text: null, entries: [], total: 0, replacements: [] },
      })
      expect(textOf(result)).toContain('No event in this project touched')
    }
  })

  it('says of what is no id of a memory that it is none', async () => {
    const { host } = await rig()
    const agent = await agentIn(host)
    for (const id of ['<b>', ID.slice(4), ID.slice(0, -1), '']) {
      const result = await callTool(host, 'stablemem_history', { id }, agent)
      expect(result.isError).toBe(true)
      expect(textOf(result)).toContain('is not the id of a memory: blk_ and 24 hex digits')
    }
    const turn = await callTool(host, 'stablemem_history', { id: `doc_${'a'.repeat(24)}` }, agent)
    expect(textOf(turn)).toContain('is an archived turn, not a memory')
  })

  it('says what replaced a memory, what it replaced, and why two became one', async () => {
    const { host, memory } = await rig()
    const agent = await agentIn(host)
    const { session } = agent
    const ids: string[] = []
    for (const owner of ['Ada', 'Bo']) ids.push((await memory.commit({ text: `svc|owner=${owner}` }, { session })).id)
    const [first = '', second = ''] = ids
    const of = async (id: string) => textOf(await callTool(host, 'stablemem_history', { id }, agent))
    expect(await of(first)).toContain(`\nNow: replaced by ${second} (a later value of svc | owner): svc|owner=Bo`)
    expect(await of(second)).toContain(`\nNow: replaces ${first} (a later value of svc | owner): svc|owner=Ada`)

    const said = await memory.commit({ text: 'The owner of svc is Bo.' }, { session })
    await memory.merge({ keep: second, drop: said.id, reason: 'one fact in two forms' }, { session })
    const merged = await of(said.id)
    expect(merged).toMatch(/^It says: /)
    expect(merged).toContain(`: ${said.id} was merged into ${second}: one fact in two forms`)
    // Which of the two was said when, and how.
    expect(merged).toContain(`${second} said by api`)
    expect(merged).toContain(`${said.id} said by api`)
  })

  it('lists a thousand of more events, and says how many there are', async () => {
    const { host, memory } = await rig()
    const agent = await agentIn(host)
    const { session } = agent
    await Promise.all(Array.from({ length: 1_001 }, () => memory.commit({ text: FACT }, { session })))
    const result = await callTool(host, 'stablemem_history', { id: ID }, agent)
    const { entries, total } = await outputOf<HistoryAnswer>(Promise.resolve(result))
    expect([entries.length, total]).toEqual([1_000, 1_001])
    expect(textOf(result)).toContain('1001 events in all')
  })

  it.each([[{}], [{ id: 7 }]])('refuses arguments it does not know: %j', async args => {
    const { host } = await rig()
    expect((await callTool(host, 'stablemem_history', args, await agentIn(host))).isError).toBe(true)
  })

  it('is open to a subagent, which only reads', async () => {
    const { host, memory } = await rig()
    const agent = await agentIn(host)
    await memory.commit({ text: FACT }, { session: agent.session })
    const child = await host.createAgent({ sessionId: 'child', cwd: host.home, origin: 'subagent' })
    expect(await outputOf(callTool(host, 'stablemem_history', { id: ID }, child))).toMatchObject({ total: 1 })
  })
})

describe('provenance', () => {
  it('a hit lists every place it was said: session, turn, seq, time and origin', async () => {
    const { host, memory } = await rig({ answers: [call('commit', { text: FACT }), { text: 'noted' }] })
    const [first, second] = [await agentIn(host), await agentIn(host)]
    await host.runTurn(first, 'remember it')
    await memory.commit({ text: `${FACT} ` }, { session: second.session })
    await memory.commit({ text: FACT }, { session: second.session })
    const asked = callTool(host, 'stablemem_recall', { query: '1111' }, second)
    const { hits } = await outputOf<RecallAnswer>(asked)
    expect(hits).toHaveLength(1)
    const [hit] = hits
    expect(hit?.places).toBe(3)
    expect(hit?.said).toMatchObject([
      { session: first.session.id, turn: 1, step: 1, origin: 'tool' },
      { session: second.session.id, turn: null, step: null, origin: 'api' },
      { session: second.session.id, turn: null, step: null, origin: 'api' },
    ])
    for (const { session, seq, time, event } of hit?.said ?? []) {
      const { events } = session === first.session.id ? first.session : second.session
      const said = events[seq ?? -1] as { data: { id: string; at: { time: number; step?: number } } } | undefined
      expect(said?.data).toMatchObject({ id: event, at: { time } })
    }
  })
})
