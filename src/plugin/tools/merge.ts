import { defineTool, type ToolDefinition } from '@deepseek-ai/dsh-tools'
import type { Memory } from '../memory.ts'
import { caller } from './caller.ts'
import { andSubagents, BLOCK_ID, EVERYWHERE, PENDING_FLAG } from './parts.ts'
import { PENDING, text } from './text.ts'
import { called, calling } from './view.ts'

const CARDS = { kind: 'other', doing: 'Merge', done: 'Merged', failed: 'Not merged' } as const

/** `…_merge`: two memories say the same. */
export function mergeTool(memory: Memory): ToolDefinition {
  const { toolName } = memory.parts.config
  return defineTool({
    name: `${toolName}_merge`,
    description: `Make two memories that say the same one: \`keep\` goes on standing for both, the id of \`drop\` becomes its alias. It cannot be undone. For a fact that replaces an older one, use \`${toolName}_link\` with type supersedes instead. Refused: an id that this project does not have or that was purged, two ids of one memory${andSubagents(memory)}.`,
    parameters: {
      keep: { type: 'string', required: true, description: `Id of the memory that stays: ${BLOCK_ID}.` },
      drop: { type: 'string', required: true, description: 'Id of the memory that says the same, likewise.' },
      reason: { type: 'string', description: 'Why they are the same, for the record.' },
      everywhere: EVERYWHERE,
    },
    output: {
      schema: {
        type: 'object',
        properties: {
          keep: { type: 'string', required: true, description: 'The id that stands for both now.' },
          drop: { type: 'string', required: true, description: 'The id that is its alias now.' },
          pending: PENDING_FLAG,
        },
        additionalProperties: false,
      },
      render: (_args, { keep, drop, pending }) =>
        text(`Merged: ${drop} is now an alias of ${keep}.`, pending ? PENDING : undefined),
    },
    execute: async (args, exec) => ({ ...(await memory.merge(args, caller(exec))) }),
    presentCall: ({ keep, drop }) => calling(CARDS, `${drop} into ${keep}`),
    presentResult: ({ keep, drop }, result) => called(CARDS, `${drop} into ${keep}`, result),
  })
}
