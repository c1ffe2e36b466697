import type { Agent } from '@deepseek-ai/dsh-agent'
import { CallId } from '@deepseek-ai/dsh-llm'
import type { ToolExecutionResult } from '@deepseek-ai/dsh-tools'
import type { RecallAnswer } from '../../../src/readmodels/index.ts'
import type { Host } from '../../support/host.ts'

let calls = 0

/** One tool call through the host's registry, which checks arguments, runs the body and checks its output. */
export function callTool(
  host: Host,
  name: string,
  args: unknown,
  agent?: Agent,
  signal: AbortSignal = new AbortController().signal,
): Promise<ToolExecutionResult> {
  calls += 1
  return host.ctx.tools.execute({
    callId: CallId(`call-${calls}`),
    name,
    arguments: args,
    signal,
    ...(agent === undefined ? {} : { agent }),
  })
}

/** The value of a call that must succeed. */
export async function outputOf<T>(result: Promise<ToolExecutionResult>): Promise<T> {
  const settled = await result
  if (settled.isError) throw new Error(`the tool failed: ${settled.error.message}`)
  return settled.value as T
}

export const recalled = (host: Host, query: string, agent?: Agent, more: object = {}) =>
  outputOf<RecallAnswer>(callTool(host, 'stablemem_recall', { query, ...more }, agent))

export function textOf(result: ToolExecutionResult): string {
  return result.content.map(block => (block.type === 'text' ? block.text : '')).join('')
}
