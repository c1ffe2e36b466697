/** Act 1: the agent commits what it is told, with its tool, as events of its own session. */
import { readStoredEvents } from '../../test/support/logs.ts'
import { textsOf } from '../../test/support/model-server.ts'
import { act, must, quote, say, stageOf, withHost } from '../stage.ts'
import { FACTS, FIRST_SESSION, TELLINGS } from '../story.ts'

await act(async () => {
  const stage = stageOf()
  const root = await withHost(stage, 'with plugin', async (host, model) => {
    const agent = await host.createAgent({ sessionId: FIRST_SESSION, cwd: stage.workspace })
    for (const { says, facts } of TELLINGS) {
      model.push(
        { toolCalls: facts.map(text => ({ name: 'stablemem_commit', arguments: { text } })) },
        { text: 'Noted.' },
      )
      await host.runTurn(agent, says)
      say(`  The human says: ${says}`)
      say('  The model calls stablemem_commit, and reads back what the tool answers:')
      const answers = textsOf(model.last(), 'tool').slice(-facts.length)
      facts.forEach((fact, at) => {
        quote(`${fact}\n  -> ${answers[at] ?? 'no answer'}`)
      })
      must(
        facts.every((_, at) => answers[at]?.startsWith('Remembered as blk_')),
        `the tool did not remember: ${answers.join(' / ')}`,
      )
    }
    return host.sessionsRoot
  })

  const events = await readStoredEvents(root, FIRST_SESSION)
  const commits = events.filter(event => (event.type as string) === 'hologram/commit')
  say(`  The host has ended. Its log of session "${FIRST_SESSION}" holds ${events.length} events, ours among them:`)
  for (const event of commits) quote(JSON.stringify({ seq: event.seq, type: event.type, ignorable: event.ignorable }))
  must(commits.length === FACTS.length, `${FACTS.length} commits were made and ${commits.length} are in the log`)
  must(
    commits.every(event => event.ignorable === true),
    'an event of ours is not marked as one that a host may ignore',
  )
})
