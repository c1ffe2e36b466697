import type { ToolDefinition } from '@deepseek-ai/dsh-tools'
import type { Memory } from '../memory.ts'
import { coldCommitTool } from './cold-commit.ts'
import { coldQueryTool } from './cold-query.ts'
import { commitTool } from './commit.ts'
import { historyTool } from './history.ts'
import { linkTool } from './link.ts'
import { mergeTool } from './merge.ts'
import { purgeTool } from './purge.ts'
import { recallTool } from './recall.ts'
import { strict } from './strict.ts'

/** The tools of one mount. */
export function memoryTools(memory: Memory): ToolDefinition[] {
  return [commitTool, recallTool, linkTool, mergeTool, purgeTool, historyTool, coldQueryTool, coldCommitTool].map(
    make => strict(make(memory)),
  )
}
