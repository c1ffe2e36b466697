import { defineTool, type ToolDefinition } from '@deepseek-ai/dsh-tools'
import type { Memory } from '../memory.ts'
import { caller } from './caller.ts'
import { PENDING, text, titleOf } from './text.ts'

/** `…_commit`: remember one fact. */
export function commitTool(memory: Memory): ToolDefinition {
  const { toolName } = memory.parts.config
  return defineTool({
    name: `${toolName}_commit`,
    description:
      'Remember one lasting fact, decision or preference for later sessions. Write it so that it can be understood alone: name the subject and the value. Committing the same text again is harmless.',
    parameters: {
      text: {
        type: 'string',
        required: true,
        description: 'The fact, complete in itself. In the language it was said in.',
      },
      source: { type: 'string', description: 'Where it comes from, such as a file, a person or a command.' },
      scene: { type: 'string', description: 'What it belongs to, as a path such as deploy/staging.' },
      semanticType: {
        type: 'string',
        description: 'What kind of fact it is, such as preference, decision or procedure.',
      },
    },
    output: {
      schema: {
        type: 'object',
        properties: {
          id: { type: 'string', required: true, description: 'The id of the memory.' },
          created: { type: 'boolean', required: true, description: 'False when memory held this text already.' },
          pending: { type: 'boolean', description: 'True when it is safe but cannot be found yet.' },
        },
        additionalProperties: false,
      },
      render: (_args, { id, created, pending }) =>
        text(
          `${created ? 'Remembered' : 'Memory held this already; it was refreshed'} as ${id}.`,
          pending ? PENDING : undefined,
        ),
    },
    execute: async (args, exec) => ({ ...(await memory.commit(args, caller(exec))) }),
    presentCall: args => ({ card: 'generic', kind: 'other', title: `Remember: ${titleOf(args, 'text')}` }),
  })
}
