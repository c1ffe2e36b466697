import { defineTool, type ToolDefinition } from '@deepseek-ai/dsh-tools'
import { inert } from '../injection/inert.ts'
import { cutToTokens } from '../injection/tokens.ts'
import type { Memory } from '../memory.ts'
import { type Neighbours, NO_NEIGHBOURS, neighboursOf } from '../neighbours.ts'
import { caller } from './caller.ts'
import { andSubagents, PENDING_FLAG } from './parts.ts'
import { PENDING, text } from './text.ts'
import { called, calling, readText } from './view.ts'

const CARDS = { kind: 'other', doing: 'Remember', done: 'Remembered', failed: 'Not remembered' } as const
/** How long a commit that is done waits to be told what lies near it, in milliseconds. */
const LOOK_MS = 1_000
/** How much is shown of what does, in tokens. */
const SHOWN = 60
const HELD = 'Memory held this already; it was refreshed'

/** `…_commit`: remember one fact. */
export function commitTool(memory: Memory): ToolDefinition {
  const { toolName, maxBytes } = memory.parts.config
  return defineTool({
    name: `${toolName}_commit`,
    description: `Remember one lasting fact, decision or preference for later sessions of this project. Write it to be understood alone, with subject and value. One fact a call: a sentence of the user may hold several. A value that may change is best written \`subject|what=value\` with the bare value, such as \`cache|port=6381\`: a later one with the same subject and what, written as they were before, replaces it by itself. One that was said as a sentence is not replaced by itself: the answer names memories on the same subject, and \`${toolName}_link\` with type supersedes, from the new one to the old one, replaces one. Not for what the files say anyway, or only this task needs. Secrets are replaced by a marker; saying the same again is harmless. Returns the id of the memory. Refused: a text that is empty, over ${maxBytes} bytes or with NUL${andSubagents(memory)}.`,
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
          replaced: { type: 'array', required: true, items: REPLACED },
          close: { type: 'array', required: true, items: CLOSE },
          pending: PENDING_FLAG,
        },
        additionalProperties: false,
      },
      render: (_args, { id, created, pending, ...near }) =>
        text(`${created ? 'Remembered' : HELD} as ${id}.`, ...describe(near, toolName), pending ? PENDING : undefined),
    },
    async execute(args, exec) {
      const who = caller(exec)
      const { id, created, ...rest } = await memory.commit(args, who)
      const { replaced, close } =
        rest.pending === true || !created
          ? NO_NEIGHBOURS
          : await neighboursOf(memory, { id, text: args.text }, who.session, { signal: exec.signal, deadline: LOOK_MS })
      return {
        id,
        created,
        replaced: replaced.map(one => ({ ...one })),
        close: close.map(one => ({ id: one.id, text: cutToTokens(one.text, SHOWN) })),
        ...rest,
      }
    },
    presentCall: args => calling(CARDS, args.text),
    presentResult: (args, result) =>
      called(readText(result).startsWith(HELD) ? { ...CARDS, done: 'Known already' } : CARDS, args.text, result),
  })
}

const REPLACED = {
  type: 'object',
  properties: {
    id: { type: 'string', required: true, description: 'A memory that this one replaced by itself.' },
    reason: { type: 'string', required: true },
  },
  additionalProperties: false,
} as const

const CLOSE = {
  type: 'object',
  properties: {
    id: { type: 'string', required: true, description: 'Another memory on the same subject, which still counts.' },
    text: { type: 'string', required: true, description: 'Its beginning.' },
  },
  additionalProperties: false,
} as const

function describe({ replaced, close }: Neighbours, toolName: string): string[] {
  return [
    ...replaced.map(({ id, reason }) => `It replaces ${id}: ${inert(reason)}.`),
    ...close.map(
      ({ id, text: beginning }) =>
        `Perhaps on the same subject, and still counting: ${id} ${JSON.stringify(inert(beginning))}`,
    ),
    ...(close.length === 0
      ? []
      : [
          `If the new one replaces one of these as a whole, call \`${toolName}_link\` with type supersedes, and before that commit what else it holds and still holds; if they say the same, \`${toolName}_merge\`; otherwise do nothing.`,
        ]),
  ]
}
