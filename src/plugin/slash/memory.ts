import type { Context } from '@deepseek-ai/cordis'
import type { CommandInvocation, CommandResult } from '@deepseek-ai/dsh-commands'
import type { Memory } from '../memory.ts'
import { ACTIONS, HELP } from './actions.ts'

/** `/memory`, for the human. Where a harness has no slash commands, nothing is registered. */
export function registerSlashCommand(ctx: Context, memory: Memory): void {
  ctx.inject(['commands'], inner => {
    inner.commands.register({
      name: 'memory',
      description: 'Search, add to, forget from and look behind the long-term memory.',
      input: { hint: 'search WORDS | add TEXT | forget ID… | history ID | why | status' },
      // What a human adds may hold what memory would redact; the host's record of the command leaves it out.
      recordInput: false,
      handler: invocation => answer(memory, invocation),
    })
  })
}

/** Runs one line. Whatever goes wrong is told as text. */
async function answer(memory: Memory, { agent, rawInput, signal }: CommandInvocation): Promise<CommandResult> {
  const [, verb = '', rest = ''] = /^\s*(\S*)\s*([\s\S]*?)\s*$/.exec(rawInput) ?? []
  if (verb === '' || verb === 'help') return { kind: 'success', text: HELP }
  const action = ACTIONS.get(verb)
  if (action === undefined) return { kind: 'error', text: `There is no /memory ${verb}.\n${HELP}` }
  if (action.takes !== undefined && rest === '') {
    return { kind: 'error', text: `/memory ${verb} needs ${action.takes}.` }
  }
  try {
    return { kind: 'success', text: await action.run({ memory, session: agent.session, rest, signal }) }
  } catch (error) {
    return { kind: 'error', text: error instanceof Error ? error.message : String(error) }
  }
}
