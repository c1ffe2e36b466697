import type { ContentBlock } from '@deepseek-ai/dsh-llm'

/** Added to the answer of an act whose event is safe but not folded yet. */
export const PENDING = 'It is safe, and takes effect once the database can be written.'

export function text(...lines: ReadonlyArray<string | undefined>): ContentBlock[] {
  return [{ type: 'text', text: lines.filter(line => line !== undefined).join('\n') }]
}

/** The beginning of an argument, for a card's title. */
export function titleOf(args: unknown, name: string): string {
  const value: unknown = typeof args === 'object' && args !== null ? Reflect.get(args, name) : ''
  const line =
    String(value ?? '')
      .trim()
      .split('\n', 1)[0] ?? ''
  return line.length <= 80 ? line : `${line.slice(0, 79).toWellFormed()}…`
}
