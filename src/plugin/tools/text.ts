import type { ContentBlock } from '@deepseek-ai/dsh-llm'

/** Added to the answer of an act whose event is safe but not folded yet. */
export const PENDING = 'It is safe, and takes effect once the database can be written.'

export function text(...lines: ReadonlyArray<string | undefined>): ContentBlock[] {
  return [{ type: 'text', text: lines.filter(line => line !== undefined).join('\n') }]
}
