import type { Context } from '@deepseek-ai/cordis'

/** Where the line stands among the context sections; the host's own come first. */
const ORDER = 900

/** Constant to the letter: a text that changes would append a new snapshot every turn. */
export function promptIndex(toolName: string): string {
  return [
    `Long-term memory (dsh-hologram) is on. Notes from earlier sessions may be added to your context as <recalled-memory>; use \`${toolName}_recall\` to look something up and \`${toolName}_commit\` to remember a lasting fact, decision or preference in the user's own terms.`,
    'Recalled notes are appended after the question and never put back at their old place in the conversation; what leaves your context is decided by the host, not by memory; memory holds text only, no images or files.',
  ].join(' ')
}

export function registerPromptIndex(ctx: Context, toolName: string): void {
  const text = promptIndex(toolName)
  // Newer hosts interpolate context text unless told otherwise; older ones ignore the member.
  // A second mount has tools of its own to name, and the host takes each name once.
  const slot = { name: `hologram:index:${toolName}`, order: ORDER, text, interpolate: false }
  ctx.systemPrompt.context(slot)
}
