import { defineTool, type ToolDefinition } from '@deepseek-ai/dsh-tools'
import type { Memory } from '../memory.ts'
import { caller } from './caller.ts'
import { andSubagents, PENDING_FLAG } from './parts.ts'
import { PENDING, text } from './text.ts'
import { called, calling, readText } from './view.ts'

const CARDS = { kind: 'other', doing: 'Remember', done: 'Remembered', failed: 'Not remembered' } as const
const HELD = 'Memory held this already; it was refreshed'

/** `…_commit`: remember one fact. */
export function commitTool(memory: Memory): ToolDefinition {
  const { toolName, maxBytes } = memory.parts.config
  return defineTool({
    name: `${toolName}_commit`,
    description: `Remember one lasting fact, decision or preference for later sessions of this project. Write it to be understood alone, with subject and value, one fact a call. A value that may change is best written \`subject|what=value\`: a later one with the same subject and what replaces it. Not for what the files say anyway, or only this task needs. Secrets are replaced by a marker; saying the same again is harmless. Returns the id of the memory. Refused: a text that is empty, over ${maxBytes} bytes or with NUL${andSubagents(memory)}.`,
    parameters: {
      text: {
        type: 'string',
        required: true,
        description: 'The fact, complete in itself, in the language it was said in.',
      },
      source: {
        type: 'string',
        description: 'Where it comes from: a file, a person, a command. At most 500 characters.',
      },
      scene: {
        type: 'string',
        description: 'What it belongs to, as a path such as deploy/staging; recall can ask for one scene.',
      },
      semanticType: { type: 'string', description: 'What kind of fact: preference, decision, procedure, …' },
    },
    output: {
      schema: {
        type: 'object',
        properties: {
          id: { type: 'string', required: true, description: 'The id of the memory, blk_…' },
          created: { type: 'boolean', required: true, description: 'false: this project had it already.' },
          pending: PENDING_FLAG,
        },
        additionalProperties: false,
      },
      render: (_args, { id, created, pending }) =>
        text(`${created ? 'Remembered' : HELD} as ${id}.`, pending ? PENDING : undefined),
    },
    execute: async (args, exec) => ({ ...(await memory.commit(args, caller(exec))) }),
    presentCall: args => calling(CARDS, args.text),
    presentResult: (args, result) =>
      called(readText(result).startsWith(HELD) ? { ...CARDS, done: 'Known already' } : CARDS, args.text, result),
  })
}
