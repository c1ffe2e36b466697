import type { Context } from '@deepseek-ai/cordis'
import { BlockAssembler, createUserMessage } from '@deepseek-ai/dsh-llm'
import type { Ask } from '../../commands/distill/index.ts'
import { recallSource } from '../host/sources.ts'

/** Longest answer, in tokens, and longest wait for it, in milliseconds. */
const MAX_TOKENS = 4_000
const WAIT_MS = 120_000

/** A model, by the host's names. */
export interface Route {
  readonly provider: string
  readonly model: string
}

/**
 * Asks a model of the host's once, outside of any session. Without a route of its own it takes that of the latest
 * request of an agent that lives; it rejects where there is none, and with whatever keeps the model from answering.
 */
export function askModel(ctx: Context, chosen: Route | undefined): Ask {
  return async (prompt, signal) => {
    const route = chosen ?? latestRoute(ctx)
    if (route === undefined) throw new Error('no model was used since the harness started, and none is set')
    const assembler = new BlockAssembler()
    const chunks = ctx.llm.stream({
      ...route,
      messages: [createUserMessage({ content: [{ type: 'text', text: prompt }], source: recallSource() })],
      maxTokens: MAX_TOKENS,
      signal: AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]),
    })
    for await (const chunk of chunks) assembler.push(chunk)
    const { finish } = assembler
    if (finish.kind === 'error' || finish.kind === 'aborted') throw new Error(finish.failure.message)
    return assembler
      .blocks()
      .map(block => (block.type === 'text' ? block.text : ''))
      .join('')
  }
}

function latestRoute(ctx: Context): Route | undefined {
  for (const { session } of ctx.agents.list().toReversed()) {
    const config = session.requestHeader()?.config
    if (config !== undefined) return { provider: config.provider, model: config.model }
  }
  return undefined
}
