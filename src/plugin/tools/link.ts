import { defineTool, type ToolDefinition } from '@deepseek-ai/dsh-tools'
import { ENDPOINT_KINDS } from '../../events/index.ts'
import type { Memory } from '../memory.ts'
import { caller } from './caller.ts'
import { PENDING, text, titleOf } from './text.ts'

/** `…_link`: tie two things together, or undo it. */
export function linkTool(memory: Memory): ToolDefinition {
  return defineTool({
    name: `${memory.parts.config.toolName}_link`,
    description:
      'Tie two memories together, or a memory to a person, system or topic. `supersedes` makes the source replace the target in recall; `mentions`, `contains`, `derived_from` and words of your own say how things relate. `remove: true` ends a tie.',
    parameters: {
      sourceKind: {
        type: 'string',
        required: true,
        enum: ENDPOINT_KINDS,
        description: 'What the source is; a memory is a block.',
      },
      sourceId: { type: 'string', required: true, description: 'Id of the memory (blk_…), or the name of the entity.' },
      targetKind: { type: 'string', required: true, enum: ENDPOINT_KINDS, description: 'What the target is.' },
      targetId: { type: 'string', required: true, description: 'Id of the memory (blk_…), or the name of the entity.' },
      type: {
        type: 'string',
        required: true,
        description: 'How the source relates to the target, such as supersedes.',
      },
      confidence: { type: 'number', description: 'How sure this is, from 0 to 1. Default 1.' },
      remove: { type: 'boolean', description: 'True to end the tie.' },
    },
    output: {
      schema: {
        type: 'object',
        properties: {
          linked: { type: 'boolean', required: true, description: 'False when the tie was ended.' },
          pending: { type: 'boolean' },
        },
        additionalProperties: false,
      },
      render: ({ sourceId, type, targetId }, { linked, pending }) =>
        text(`${linked ? 'Linked' : 'Unlinked'}: ${sourceId} ${type} ${targetId}.`, pending ? PENDING : undefined),
    },
    async execute({ remove, ...edge }, exec) {
      const who = caller(exec)
      const done = await (remove === true ? memory.unlink(edge, who) : memory.link(edge, who))
      return { linked: remove !== true, ...done }
    },
    presentCall: args => ({
      card: 'generic',
      kind: 'other',
      title: `Link: ${titleOf(args, 'sourceId')} ${titleOf(args, 'type')} ${titleOf(args, 'targetId')}`,
    }),
  })
}
