import { defineTool, type ToolDefinition } from '@deepseek-ai/dsh-tools'
import { isSubagent } from '../host/sources.ts'
import type { Memory } from '../memory.ts'

/** `…_commit`: remember one fact. */
export function commitTool(memory: Memory): ToolDefinition {
  const { toolName, subagents } = memory.parts.config
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
      render: (_args, value) => [{ type: 'text', text: describe(value) }],
    },
    async execute(args, exec) {
      const session = exec.agent?.session
      if (session !== undefined && isSubagent(session) && !subagents.write) {
        throw new Error(
          'A subagent does not write to memory. Report the fact to the agent that asked you, or set `subagents.write`.',
        )
      }
      const committed = await memory.commit(args, { session, origin: 'tool' })
      return { ...committed }
    },
    presentCall: args => ({ card: 'generic', kind: 'other', title: `Remember: ${firstLine(args)}` }),
  })
}

function describe(value: unknown): string {
  const { id, created, pending } = value as { id: string; created: boolean; pending?: boolean }
  const what = created ? 'Remembered' : 'Memory held this already; it was refreshed'
  return `${what} as ${id}.${pending ? ' It is safe, and will be found once the database can be written.' : ''}`
}

function firstLine(args: unknown): string {
  const text: unknown = typeof args === 'object' && args !== null ? Reflect.get(args, 'text') : ''
  const line =
    String(text ?? '')
      .trim()
      .split('\n', 1)[0] ?? ''
  return line.length <= 80 ? line : `${line.slice(0, 79).toWellFormed()}…`
}
