/** Act 2: a new session is asked in other words; what the model receives is read from the request itself. */
import { type ModelRequest, textsOf } from '../../test/support/model-server.ts'
import { act, must, quote, say, stageOf, withHost } from '../stage.ts'
import { ASKINGS, type Asking, FACTS, SECOND_SESSION } from '../story.ts'

await act(async () => {
  const stage = stageOf()
  await withHost(stage, 'with plugin', async (host, model) => {
    const agent = await host.createAgent({ sessionId: SECOND_SESSION, cwd: stage.workspace })
    let before = 0
    for (const asking of ASKINGS) {
      model.push({ text: 'Let me see.' })
      await host.runTurn(agent, asking.asks)
      const request = model.last()
      // A conversation grows: what is new in this request is what follows the messages of the one before.
      show(asking, request, before)
      before = request.messages.length
    }
    const kept = model.last().messages.filter(({ content }) => content.startsWith('<recalled-memory'))
    const asked = ASKINGS.filter(({ recalls }) => recalls.length > 0).length
    must(kept.length === asked, `${asked} questions had an answer in memory, and ${kept.length} messages were added`)
  })
})

function show({ asks, recalls }: Asking, request: ModelRequest, before: number): void {
  say(`  The human asks: ${asks}`)
  if (before === 0) {
    say('  The request that the model received, message by message (the first line of each):')
    for (const { role, content } of request.messages) quote(`${role.padEnd(6)} ${firstLine(content)}`)
  }
  const added = request.messages.slice(before).filter(({ content }) => content.startsWith('<recalled-memory'))
  if (added.length === 0) say('  Memory added nothing to the request: nobody ever said anything about it.')
  for (const message of added) {
    say(`  Memory added this to the request, with role "${message.role}":`)
    quote(message.content)
  }
  must(
    FACTS.every(fact => !asks.includes(fact)),
    'the question repeats the fact',
  )
  const text = added.map(({ content }) => content).join('\n')
  for (const fact of FACTS) {
    const wanted = recalls.includes(fact)
    if (text.includes(fact) === wanted) continue
    throw new Error(wanted ? `the request lacks: ${fact}` : `the request holds what was not asked for: ${fact}`)
  }
  must(
    added.every(({ role }) => role === 'user'),
    'a memory came with another role than "user"',
  )
  const system = textsOf(request, 'system').join('\n')
  must(
    FACTS.every(fact => !system.includes(fact)),
    'a memory is in the system prompt',
  )
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n', 1)
  return line.length <= 90 ? line : `${line.slice(0, 89)}…`
}
