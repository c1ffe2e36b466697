import type { Context } from '@deepseek-ai/cordis'
import { createUserMessage, type UserMessage } from '@deepseek-ai/dsh-llm'
import { recallSource } from '../host/sources.ts'
import { estimateTokens } from './tokens.ts'

/** What a text costs as a message, in tokens. */
export type Price = (text: string) => number

/** What is used of the host's own meter. */
interface Meter {
  estimateMessage?(message: UserMessage): unknown
}

/**
 * Prices by the host's token meter where there is one, else by our estimate. The host's counts a Han character as a
 * quarter of a token, which is far too little, so that what ours says is the least.
 */
export function priceOn(ctx: Context): Price {
  const found: unknown = ctx.get('tokenMeter')
  const meter = found as Meter | undefined
  if (typeof meter?.estimateMessage !== 'function') return estimateTokens
  return text => Math.max(estimateTokens(text), metered(meter, text))
}

function metered(meter: Meter, text: string): number {
  try {
    const message = createUserMessage({ content: [{ type: 'text', text }], source: recallSource() })
    const tokens = meter.estimateMessage?.(message)
    return typeof tokens === 'number' && Number.isFinite(tokens) ? tokens : 0
  } catch {
    return 0
  }
}
