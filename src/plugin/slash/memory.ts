import type { Context } from '@deepseek-ai/cordis'
import type { CommandDefinition, CommandInvocation, CommandResult } from '@deepseek-ai/dsh-commands'
import { reasonOf } from '../../events/index.ts'
import type { Memory } from '../memory.ts'
import { actionOf, help } from './actions.ts'

/**
 * `/memory`, for the human. Where a harness has no slash commands, nothing is registered. It belongs to one mount; a
 * second in the same harness has `/memory_<toolName>`, and `/memory` as well when the first is gone.
 */
export function registerSlashCommand(ctx: Context, memory: Memory): void {
  ctx.inject(['commands'], inner => {
    const names = new Set<string>()
    const register = (name: string): boolean => {
      if (names.has(name)) return true
      // Before it is registered, since that is announced to us too.
      names.add(name)
      try {
        inner.commands.register(commandOf(name, memory))
      } catch {
        names.delete(name)
      }
      return names.has(name)
    }
    if (!register(NAME)) register(`${NAME}_${memory.parts.config.toolName}`)
    inner.on('commands/change', () => void register(NAME))
  })
}

const NAME = 'memory'

function commandOf(name: string, memory: Memory): CommandDefinition {
  return {
    name,
    description: 'Search, add to, forget from and look behind the long-term memory.',
    input: { hint: 'search WORDS | add TEXT | forget ID… | history ID | show ID | why | status' },
    // What a human adds may hold what memory would redact; the host's record of the command leaves it out.
    recordInput: false,
    handler: invocation => answer(memory, invocation, name),
  }
}

/** Runs one line. Whatever goes wrong is told as text. */
async function answer(
  memory: Memory,
  { agent, rawInput, signal }: CommandInvocation,
  command: string,
): Promise<CommandResult> {
  const [, verb = '', rest = ''] = /^\s*(\S*)\s*([\s\S]*?)\s*$/.exec(rawInput) ?? []
  if (verb === '' || verb.toLowerCase() === 'help') return { kind: 'success', text: help(command) }
  const action = actionOf(verb)
  if (action === undefined) return { kind: 'error', text: `There is no /${command} ${verb}.\n${help(command)}` }
  if (action.takes !== '' && rest === '') {
    return { kind: 'error', text: `Type it with what it is about: /${command} ${verb} ${action.takes}` }
  }
  try {
    return { kind: 'success', text: await action.run({ memory, session: agent.session, rest, signal }) }
  } catch (error) {
    return { kind: 'error', text: reasonOf(error) }
  }
}
