import { defineTool, type ToolDefinition } from '@deepseek-ai/dsh-tools'
import type { Memory } from '../memory.ts'
import { caller } from './caller.ts'
import { andSubagents, BLOCK_ID, EVERYWHERE, PENDING_FLAG } from './parts.ts'
import { PENDING, text } from './text.ts'
import { called, calling } from './view.ts'

const CARDS = { kind: 'delete', doing: 'Forget', done: 'Forgot', failed: 'Not forgotten' } as const

/** What a purge does not do, said to whoever asks for one. */
const NOT_ERASED =
  'The record of this conversation and the journal, where the text was said, are not erased; memory no longer returns it.'

/** `…_purge`: forget memories. */
export function purgeTool(memory: Memory): ToolDefinition {
  const { toolName } = memory.parts.config
  return defineTool({
    name: `${toolName}_purge`,
    description: `Forget memories by id: recall, and the pages of earlier turns that hold the same text, no longer give them back. What is on disk, in the logs of sessions, is not erased, and the answer says so. Use it when the user asks for it or when something should never have been remembered. They do not come back unless somebody commits them again. Not for outdated facts: for those use \`${toolName}_link\` with type supersedes. All ids are forgotten, or none. Refused: an id that this project does not have${andSubagents(memory)}.`,
    parameters: {
      ids: {
        type: 'array',
        required: true,
        items: { type: 'string' },
        description: `Ids of the memories: ${BLOCK_ID}. At least one.`,
      },
      reason: {
        type: 'string',
        required: true,
        description: 'Why, for the record. Do not repeat what is to be forgotten: the reason is kept.',
      },
      everywhere: EVERYWHERE,
    },
    output: {
      schema: {
        type: 'object',
        properties: {
          ids: {
            type: 'array',
            required: true,
            items: { type: 'string' },
            description: 'Every id that was forgotten, aliases included.',
          },
          note: { type: 'string', required: true, description: 'What is not erased.' },
          pending: PENDING_FLAG,
        },
        additionalProperties: false,
      },
      render: (_args, { ids, note, pending }) => text(`Purged ${ids.join(', ')}.`, note, pending ? PENDING : undefined),
    },
    async execute(args, exec) {
      const { ids, ...rest } = await memory.purge(args, caller(exec))
      return { ids: [...ids], note: NOT_ERASED, ...rest }
    },
    presentCall: ({ ids }) => calling(CARDS, ids.join(', ')),
    presentResult: ({ ids }, result) => called(CARDS, ids.join(', '), result),
  })
}
