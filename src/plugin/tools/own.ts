import type { Config } from '../config.ts'

const STABLE = 'stablemem'
const COLD = 'coldcontext'
/** First parts of our tools' names: as they are by default, and those of every mount in this process. */
const prefixes = new Set([STABLE, COLD])

/** First part of the names of the tools for archived turns. A second mount with a `toolName` of its own needs no other. */
export function coldToolName({ toolName, cold }: Config): string {
  return cold.toolName ?? (toolName === STABLE ? COLD : `${toolName}_${COLD}`)
}

/** Says that tools whose names begin so are ours. */
export function claimTools(...names: readonly string[]): void {
  for (const name of names) prefixes.add(name)
}

/** Whether a tool is ours: what it brought is memory already, and is not remembered anew. */
export function isOwnTool(name: string): boolean {
  const end = name.lastIndexOf('_')
  return end > 0 && prefixes.has(name.slice(0, end))
}
