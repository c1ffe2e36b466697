import { defineTool, type ToolDefinition } from '@deepseek-ai/dsh-tools'
import { formatTime, inert } from '../injection/frame.ts'
import type { Memory } from '../memory.ts'
import { text, titleOf } from './text.ts'

const DEADLINE_MS = 10_000

/** `…_history`: where a memory comes from and what became of it. */
export function historyTool(memory: Memory): ToolDefinition {
  return defineTool({
    name: `${memory.parts.config.toolName}_history`,
    description:
      'Every event that touched a memory, oldest first: where and when it was said, recalled, linked, merged or purged, with session and position in its log.',
    parameters: {
      id: { type: 'string', required: true, description: 'Id of the memory (blk_…).' },
    },
    output: {
      schema: {
        type: 'object',
        properties: {
          id: { type: 'string', required: true },
          ids: { type: 'array', required: true, items: { type: 'string' }, description: 'Every id that means it.' },
          total: { type: 'integer', required: true },
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
    presentCall: args => ({ card: 'generic', kind: 'search', title: `History of ${titleOf(args, 'id')}` }),
  })
}

const ENTRY = {
  type: 'object',
  properties: {
    event: { type: 'string', required: true },
    verb: { type: 'string', required: true },
    clock: { type: 'integer', required: true },
    block: { type: 'string', required: true },
    namespace: { type: 'string', required: true },
    session: { type: 'string', required: true },
    turn: { oneOf: [{ type: 'integer' }, { type: 'null' }], required: true },
    seq: { oneOf: [{ type: 'integer' }, { type: 'null' }], required: true },
    time: { type: 'integer', required: true },
    what: { type: 'string', required: true },
    wording: { oneOf: [{ type: 'string' }, { type: 'null' }], required: true },
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
  return `${formatTime(entry.time)}, ${inert(place)}${line}: ${inert(entry.what)}`
}
