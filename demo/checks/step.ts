/** V3, V3b and V3c: what a step shows to whom, seen from inside the real step. */
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { UserMessage } from '@deepseek-ai/dsh-session'
import { all, atDesk, type Desk, type Found, isType } from './desk.ts'

const FACT = 'The staging database of project Kestrel listens on port 6543.'
const QUESTION = 'Which port does the Kestrel database use on staging?'
const SOURCE = JSON.stringify({ kind: 'plugin', plugin: 'dsh-hologram', form: 'recall' })

/** V3: a context section is given the agent, and nothing of what the step is about. */
export async function promptContext(): Promise<Found> {
  return atDesk({}, async ({ host, model, agent }) => {
    const seen: Array<{ keys: string[]; agent: unknown; surface: boolean }> = []
    host.ctx.systemPrompt.context({
      name: 'check:keys',
      order: 1,
      text: context => {
        const { agent: given } = context
        const surface = given === undefined || said(given).some(({ content }) => textOf(content) === QUESTION)
        seen.push({ keys: Object.keys(context).sort(), agent: given, surface })
        return 'constant'
      },
    })
    const asking = await agent('v3')
    await host.runTurn(asking, QUESTION)
    const received = model.last().messages.some(({ content }) => content === QUESTION)
    const keys = seen[0]?.keys ?? []
    return all(
      {
        'a context section was evaluated': seen.length > 0,
        'it is given the agent of the step': seen.every(one => one.agent === asking),
        'it is given no messages': seen.every(one => !one.keys.includes('messages')),
        "the step's message is not in the conversation yet": seen.every(one => !one.surface),
        'the model received the message all the same': received,
      },
      `keys: ${keys.join(', ')}; the agent is there, the words of this step are not`,
    )
  })
}

/** The user messages that are in an agent's conversation now. */
function said(agent: Agent): UserMessage[] {
  return agent.session.events.flatMap(event => (event.type === 'user/message' ? [event.data] : []))
}

function textOf(content: UserMessage['content']): string {
  return content.map(block => (block.type === 'text' ? block.text : '')).join('')
}

/** One turn in a new session about a fact of an earlier one, with the batch that entered the step. */
async function askAgain({ host, model, agent }: Desk) {
  const { session } = await agent('told')
  await host.ctx.stablemem.commit({ text: FACT }, { session })
  const asking = await agent('asked')
  let batch: readonly UserMessage[] = []
  // Mounted last and outermost: what it sees is what the host is about to accept.
  host.ctx.on(
    'agent/pre-step',
    async (_step, next) => {
      const decision = await next()
      if (decision.kind === 'enter') batch = decision.messages
      return decision
    },
    { prepend: true },
  )
  const events = await host.runTurn(asking, QUESTION)
  return { asking, batch, events, request: model.last() }
}

/** V3b: what was recalled is in the batch that the step accepts, in the log and in the request, under our source. */
export async function injection(config: object = {}): Promise<Found> {
  return atDesk({ config }, async desk => {
    const { batch, events, request } = await askAgain(desk)
    const ours = batch.filter(({ source }) => JSON.stringify(source) === SOURCE)
    const [message] = ours
    const logged = events.flatMap(event => (event.type === 'user/message' ? [event.data] : []))
    const recall = events.find(event => isType(event, 'hologram/recall'))
    const carried = recall === undefined ? undefined : (recall.data as unknown as { message?: string }).message
    return all(
      {
        'the accepted batch holds one message of our source': ours.length === 1,
        'it holds the fact': message !== undefined && textOf(message.content).includes(FACT),
        'the log holds that very message': message !== undefined && logged.some(({ id }) => id === message.id),
        'hologram/recall names it': message !== undefined && carried === message.id,
        'the model received it as a user': request.messages.some(
          ({ role, content }) => role === 'user' && content.includes(FACT),
        ),
      },
      `batch of ${batch.length}, ${ours.length} from ${SOURCE}; logged as ${message?.id ?? 'nothing'}`,
    )
  })
}

/** V3b†: with recall silenced, V3b must turn red; if it did not, it would prove nothing. */
export async function injectionSilenced(): Promise<Found> {
  const { ok, evidence } = await injection({ inject: false })
  return { ok: !ok, evidence: ok ? 'V3b passes without any recall' : `with inject: false V3b is red: ${evidence}` }
}

/** V3c: the question is found in a batch that ends in messages nobody typed; the last user-role message is not it. */
export async function queryOfBatch(): Promise<Found> {
  return atDesk({ skills: true }, async desk => {
    const { asking, batch } = await askAgain(desk)
    const theirs = batch.filter(({ source }) => JSON.stringify(source) !== SOURCE)
    const kinds = theirs.map(({ source }) => ('form' in source ? `${source.kind}/${String(source.form)}` : source.kind))
    const recalled = batch.some(
      ({ source, content }) => JSON.stringify(source) === SOURCE && textOf(content).includes(FACT),
    )
    // The rule that looks right: take the last message with role "user" as the question.
    const last = theirs.findLast(({ role }) => role === 'user')
    const byRule = await desk.host.ctx.stablemem.recall(last === undefined ? '' : textOf(last.content), {
      session: asking.session,
    })
    return all(
      {
        'the batch is question, runtime context, skill catalogue':
          kinds.join() === 'user,plugin/snapshot,skill-catalog/catalog',
        'our rule recalls the fact': recalled,
        'the last user-role message does not': !byRule.hits.some(({ text }) => text === FACT),
      },
      `batch: ${kinds.join(', ')}; the human's words recall the fact, the last user-role message recalls ${byRule.hits.length} (${byRule.outcome})`,
    )
  })
}
