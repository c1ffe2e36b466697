import { defineTool, ToolArgsError, type ToolDefinition } from '@deepseek-ai/dsh-tools'
import { isBlockId, isDocumentId } from '../../events/index.ts'
import { describeHistory } from '../../readmodels/index.ts'
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
      'Where a memory comes from and what became of it: what it says, every event in this project that touched it (said, tied, merged, recalled, forgotten), oldest first, each with time, session and position in its log, and what replaced it or was replaced by it. Use it when the user asks how you know something, whether it has changed, or whether it is really forgotten. Takes ids of memories only, blk_…; a page of an earlier turn says itself when and where it was said.',
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
          text: {
            oneOf: [{ type: 'string' }, { type: 'null' }],
            required: true,
            description: 'What it says now; null where it is not known, or was forgotten.',
          },
          total: { type: 'integer', required: true, description: 'Events in all; at most 1000 are listed.' },
          entries: { type: 'array', required: true, items: ENTRY },
          replacements: { type: 'array', required: true, items: REPLACEMENT },
        },
        additionalProperties: false,
      },
      render: (_args, answer) =>
        answer.total === 0
          ? text(`No event in this project touched ${inert(answer.id)}.`)
          : text(...[...describeHistory(answer)].map(inert)),
    },
    isConcurrencySafe: () => true,
    async execute({ id }, exec) {
      if (!isBlockId(id)) throw new ToolArgsError([notAnId(id)])
      const {
        ids,
        text: now,
        entries,
        total,
        replacements,
      } = await memory.history(id, exec.agent?.session, {
        signal: exec.signal,
        deadline: DEADLINE_MS,
      })
      return {
        id,
        ids: [...ids],
        text: now,
        total,
        entries: entries.map(entry => ({ ...entry })),
        replacements: replacements.map(one => ({ ...one })),
      }
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

const REPLACEMENT = {
  type: 'object',
  properties: {
    id: { type: 'string', required: true, description: 'The memory that recall answers without.' },
    text: { type: 'string', required: true },
    by: { type: 'string', required: true, description: 'The one it answers with.' },
    byText: { type: 'string', required: true },
    reason: { type: 'string', required: true },
  },
  additionalProperties: false,
} as const

function notAnId(id: string): string {
  const given = JSON.stringify(id.slice(0, 40))
  return isDocumentId(id)
    ? `${given} is an archived turn, not a memory: its page says when and where it was said`
    : `${given} is not the id of a memory: ${BLOCK_ID}`
}
