import type { ToolDefinition } from '@deepseek-ai/dsh-tools'
import type { Memory } from '../memory.ts'
import { commitTool } from './commit.ts'
import { historyTool } from './history.ts'
import { linkTool } from './link.ts'
import { mergeTool } from './merge.ts'
import { purgeTool } from './purge.ts'
import { recallTool } from './recall.ts'

/** The tools of one mount. */
export function memoryTools(memory: Memory): ToolDefinition[] {
  return [commitTool, recallTool, linkTool, mergeTool, purgeTool, historyTool].map(make => make(memory))
}
