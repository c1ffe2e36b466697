import type { Context } from '@deepseek-ai/cordis'

/** Where the line stands among the context sections; the host's own come first. */
const ORDER = 900

/** First parts of the names of the tools: for facts, and for archived turns. */
export interface ToolNames {
  readonly toolName: string
  readonly coldName: string
}

/**
 * What the model is told of memory: one of two lines, each constant to the letter, since a text that changes every turn
 * would append a new snapshot every turn.
 */
export function promptIndex({ toolName, coldName }: ToolNames, isEmpty: boolean): string {
  const remember = `\`${toolName}_commit\` to remember a lasting fact, decision or preference in the user's own terms`
  const state = isEmpty
    ? `Long-term memory (dsh-hologram) is on and empty so far; use ${remember}, which \`${toolName}_recall\` finds again in later sessions.`
    : `Long-term memory (dsh-hologram) is on. Notes from earlier sessions may be added to your context as <recalled-memory>; use \`${toolName}_recall\` to look something up, \`${coldName}_query\` for what was said in earlier turns, and ${remember}.`
  return `${state} Recalled notes are appended after the question and never put back at their old place in the conversation; what leaves your context is decided by the host, not by memory; memory holds text only, no images or files.`
}

/** Puts the line among the context sections. `isEmpty` may turn from true to false, and never back. */
export function registerPromptIndex(ctx: Context, names: ToolNames, isEmpty: () => boolean): void {
  const text = () => promptIndex(names, isEmpty())
  // Newer hosts interpolate context text unless told otherwise; older ones ignore the member.
  // A second mount has tools of its own to name, and the host takes each name once.
  const slot = { name: `hologram:index:${names.toolName}`, order: ORDER, text, interpolate: false }
  ctx.systemPrompt.context(slot)
}
