/** Act 4: the plugin is gone; a stock host opens the first session and goes on with it. */
import { SESSION_FORMAT_VERSION, type SessionEvent, SessionId } from '@deepseek-ai/dsh-session'
import type { Host } from '../../test/support/host.ts'
import { textsOf } from '../../test/support/model-server.ts'
import { act, must, quote, say, stageOf, withHost } from '../stage.ts'
import { FIRST_SESSION, TELLINGS } from '../story.ts'

const MORE = 'Thank you, that was all.'

await act(async () => {
  const stage = stageOf()
  await withHost(stage, 'without plugin', async (host, model) => {
    must(host.ctx.get('stablemem') === undefined, 'the plugin is mounted')
    const agent = await host.resumeAgent(FIRST_SESSION)
    const ours = agent.session.events.filter(event => event.type.startsWith('hologram/'))
    say(
      `  The session opens. Of its ${agent.session.events.length} events the host ignores ${ours.length}: they are ours.`,
    )
    await host.runTurn(agent, MORE)
    const users = textsOf(model.last(), 'user')
    say("  It goes on where it was. The human's words in the next request:")
    for (const words of [...TELLINGS.map(({ says }) => says), MORE]) {
      must(users.includes(words), `the model no longer sees: ${words}`)
      quote(words)
    }
    const tools = (model.last().tools ?? []).map(tool => tool.function.name)
    must(!tools.some(name => name.startsWith('stablemem')), 'the tools of the plugin are still offered')

    say('  For comparison, the same event without the mark, as a plugin would append it that does not know better:')
    const refusal = await openUnmarked(host, ours)
    must(refusal !== undefined, 'the host opened it, so this demo shows nothing')
    quote(refusal)
  })
})

/** Stores a session whose one event is ours but unmarked. Returns why the host refuses it, if it does. */
async function openUnmarked(host: Host, ours: readonly SessionEvent[]): Promise<string | undefined> {
  const [event] = ours
  must(event !== undefined, 'the session holds no event of ours')
  const { ignorable: _, ...unmarked } = { ...event, seq: 0 }
  const id = SessionId('careless')
  await host.ctx.sessionPersistence.create({ id, version: SESSION_FORMAT_VERSION, createdAt: event.time })
  await host.ctx.sessionPersistence.append(id, [unmarked as SessionEvent])
  return host.resumeAgent(id).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)).replace(/ \(raw log:.*/, ''),
  )
}
