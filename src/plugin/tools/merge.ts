import { defineTool, type ToolDefinition } from '@deepseek-ai/dsh-tools'
import type { Memory } from '../memory.ts'
import { caller } from './caller.ts'
import { PENDING, text, titleOf } from './text.ts'

/** `…_merge`: two memories say the same. */
export function mergeTool(memory: Memory): ToolDefinition {
  return defineTool({
    name: `${memory.parts.config.toolName}_merge`,
    description:
      'Make two memories that say the same one. The kept one goes on standing for both; the dropped id stays valid as its alias. For a fact that replaces an older one, use a `supersedes` link instead.',
    parameters: {
      keep: { type: 'string', required: true, description: 'Id of the memory to keep (blk_…).' },
      drop: { type: 'string', required: true, description: 'Id of the memory that says the same (blk_…).' },
      reason: { type: 'string', description: 'Why they are the same.' },
      everywhere: { type: 'boolean', description: 'In every project, not only in this one.' },
    },
    output: {
      schema: {
        type: 'object',
        properties: {
          keep: { type: 'string', required: true },
          drop: { type: 'string', required: true },
          pending: { type: 'boolean' },
        },
        additionalProperties: false,
      },
      render: (_args, { keep, drop, pending }) =>
        text(`Merged: ${drop} is now an alias of ${keep}.`, pending ? PENDING : undefined),
    },
    execute: async (args, exec) => ({ ...(await memory.merge(args, caller(exec))) }),
    presentCall: args => ({
      card: 'generic',
      kind: 'other',
      title: `Merge: ${titleOf(args, 'drop')} into ${titleOf(args, 'keep')}`,
    }),
  })
}
