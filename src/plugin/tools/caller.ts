import type { ToolRunContext } from '@deepseek-ai/dsh-tools'
import type { Who } from '../memory.ts'

/** In whose name a tool writes. */
export function caller(exec: ToolRunContext): Who {
  return { session: exec.agent?.session, origin: 'tool', signal: exec.signal }
}
