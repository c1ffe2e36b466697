import { defineTool, type ToolDefinition } from '@deepseek-ai/dsh-tools'
import { MAX_TAG, MAX_TAGS, MAX_TITLE } from '../../events/index.ts'
import { inert } from '../injection/inert.ts'
import type { Memory } from '../memory.ts'
import { caller } from './caller.ts'
import { coldToolName } from './own.ts'
import { PENDING_FLAG } from './parts.ts'
import { PENDING, text } from './text.ts'
import { called, calling } from './view.ts'

const CARDS = { kind: 'other', doing: 'Archive turn', done: 'Archived turn', failed: 'Turn not archived' } as const

/** `coldcontext_commit`: archive the turn so far, under a name. */
export function coldCommitTool(memory: Memory): ToolDefinition {
  const { config } = memory.parts
  const name = coldToolName(config)
  return defineTool({
    name: `${name}_commit`,
    description: `Archive this turn (what the user asked last, and what was done for it; earlier turns are archived already) under a title of your choice, so that \`${name}_query\` finds it by that later. ${
      config.cold.archive
        ? 'Turns are archived by themselves when they end, under the first sentence of the user; call this only where another title or tags will help to find it.'
        : 'Here turns are archived only by this call.'
    } What follows in this turn is added under the same title. It archives the words of the user, the answers, and tool calls with their results; it keeps no fact of its own: for that use \`${config.toolName}_commit\`. Refused: a turn in which the user said nothing, and calls of a subagent.`,
    parameters: {
      title: {
        type: 'string',
        description: `What the turn is about, in one line of at most ${MAX_TITLE} characters. Default: the first sentence of the user.`,
      },
      tags: {
        type: 'array',
        items: { type: 'string' },
        description: `Words it shall be found by, at most ${MAX_TAGS} of at most ${MAX_TAG} characters. Default: tools and files of the turn.`,
      },
    },
    output: {
      schema: {
        type: 'object',
        properties: {
          doc: { type: 'string', required: true, description: 'Id of the archived turn, doc_…' },
          title: { type: 'string', required: true },
          tags: { type: 'array', required: true, items: { type: 'string' } },
          messages: { type: 'integer', required: true, description: 'Messages it holds so far.' },
          calls: { type: 'integer', required: true, description: 'Tool calls it holds so far.' },
          pending: PENDING_FLAG,
        },
        additionalProperties: false,
      },
      render: (_args, { doc, title, messages, calls, pending }) =>
        text(
          `Archived as ${doc}, "${inert(title)}", so far with ${count(messages, 'message')} and ${count(calls, 'tool call')}.`,
          pending ? PENDING : undefined,
        ),
    },
    async execute({ title, tags }, exec) {
      const { tags: kept, ...archived } = await memory.archive({ title, tags }, caller(exec))
      return { ...archived, tags: [...kept] }
    },
    presentCall: ({ title }) => calling(CARDS, title ?? ''),
    presentResult: ({ title }, result) => called(CARDS, title ?? '', result),
  })
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
