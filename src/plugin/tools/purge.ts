import { defineTool, type ToolDefinition } from '@deepseek-ai/dsh-tools'
import type { Memory } from '../memory.ts'
import { caller } from './caller.ts'
import { PENDING, text, titleOf } from './text.ts'

/** What a purge does not do, said to whoever asks for one. */
const NOT_ERASED =
  'The record of this conversation and the journal, where the text was said, are not erased; memory no longer returns it.'

/** `…_purge`: forget memories. */
export function purgeTool(memory: Memory): ToolDefinition {
  return defineTool({
    name: `${memory.parts.config.toolName}_purge`,
    description:
      'Forget memories by id, when the user asks for it or when something should never have been remembered. They do not come back unless somebody commits them again. For outdated facts, use a `supersedes` link instead.',
    parameters: {
      ids: { type: 'array', required: true, items: { type: 'string' }, description: 'Ids of the memories (blk_…).' },
      reason: { type: 'string', required: true, description: 'Why, for the record. Do not repeat what is forgotten.' },
      everywhere: { type: 'boolean', description: 'In every project, not only in this one.' },
    },
    output: {
      schema: {
        type: 'object',
        properties: {
          ids: { type: 'array', required: true, items: { type: 'string' } },
          note: { type: 'string', required: true },
          pending: { type: 'boolean' },
        },
        additionalProperties: false,
      },
      render: (_args, { ids, note, pending }) => text(`Purged ${ids.join(', ')}.`, note, pending ? PENDING : undefined),
    },
    async execute(args, exec) {
      const { ids, ...rest } = await memory.purge(args, caller(exec))
      return { ids: [...ids], note: NOT_ERASED, ...rest }
    },
    presentCall: args => ({ card: 'generic', kind: 'delete', title: `Forget: ${titleOf(args, 'ids')}` }),
  })
}
