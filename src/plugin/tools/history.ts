import { defineTool, type ToolDefinition } from '@deepseek-ai/dsh-tools'
import { shownTime } from '../../readmodels/index.ts'
import { inert } from '../injection/inert.ts'
import type { Memory } from '../memory.ts'
import { BLOCK_ID, NULLABLE_INTEGER } from './parts.ts'
import { text } from './text.ts'
import { called, calling } from './view.ts'

const CARDS = { kind: 'search', doing: 'History', done: 'History', failed: 'No history' } as const
const DEADLINE_MS = 10_000

/** `…_history`: where a memory comes from and what became of it. */
export function historyTool(memory: Memory): ToolDefinition {
  return defineTool({
    name: `${memory.parts.config.toolName}_history`,
    description:
      'Where a memory comes from and what became of it: every event in this project that touched it, oldest first, each with time, session and position in its log. Use it when the user asks how you know something, or whether it has changed. An id that nothing is known of gives an empty list.',
    parameters: {
      id: { type: 'string', required: true, description: `Id of the memory: ${BLOCK_ID}.` },
    },
    output: {
      schema: {
        type: 'object',
        properties: {
          id: { type: 'string', required: true },
          ids: {
            type: 'array',
            required: true,
            items: { type: 'string' },
            description: 'Every id that means this memory.',
          },
          total: { type: 'integer', required: true, description: 'Events in all; at most 1000 are listed.' },
          entries: { type: 'array', required: true, items: ENTRY },
        },
        additionalProperties: false,
      },
      render: (_args, { id, entries, total }) =>
        entries.length === 0
          ? text(`No event in this project touched ${inert(id)}.`)
          : text(...entries.map(describe), total > entries.length ? `… ${total} events in all.` : undefined),
    },
    isConcurrencySafe: () => true,
    async execute({ id }, exec) {
      const { ids, entries, total } = await memory.history(id, exec.agent?.session, {
        signal: exec.signal,
        deadline: DEADLINE_MS,
      })
      return { id, ids: [...ids], total, entries: entries.map(entry => ({ ...entry })) }
    },
    presentCall: ({ id }) => calling(CARDS, id),
    presentResult: ({ id }, result) => called(CARDS, id, result),
  })
}

const ENTRY = {
  type: 'object',
  properties: {
    event: { type: 'string', required: true },
    verb: { type: 'string', required: true },
    clock: { type: 'integer', required: true },
    block: { type: 'string', required: true, description: 'The id that the event names.' },
    namespace: { type: 'string', required: true },
    session: { type: 'string', required: true, description: 'Empty: outside of any session.' },
    turn: NULLABLE_INTEGER,
    seq: NULLABLE_INTEGER,
    time: { type: 'integer', required: true, description: 'Unix milliseconds.' },
    what: { type: 'string', required: true, description: 'What the event did, in words.' },
    wording: {
      oneOf: [{ type: 'string' }, { type: 'null' }],
      required: true,
      description: 'Of a commit: how it was said, where that differs.',
    },
  },
  additionalProperties: false,
} as const

function describe(entry: {
  readonly time: number
  readonly what: string
  readonly session: string
  readonly seq: number | null
}): string {
  const place = entry.session === '' ? 'outside of any session' : `session ${entry.session}`
  const line = entry.seq === null ? '' : `, event ${entry.seq}`
  return `${shownTime(entry.time)}, ${inert(place)}${line}: ${inert(entry.what)}`
}
