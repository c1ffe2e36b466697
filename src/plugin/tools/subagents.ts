import type { ToolRunContext } from '@deepseek-ai/dsh-tools'
import { isSubagent } from '../host/sources.ts'
import type { Memory, Who } from '../memory.ts'

/** In whose name a tool writes. Throws for a subagent that may not. */
export function writer(memory: Memory, exec: ToolRunContext): Who {
  const session = exec.agent?.session
  if (session !== undefined && isSubagent(session) && !memory.parts.config.subagents.write) {
    throw new Error(
      'A subagent does not write to memory. Report this to the agent that asked you, or set `subagents.write`.',
    )
  }
  return { session, origin: 'tool', signal: exec.signal }
}
