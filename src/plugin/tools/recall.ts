import { defineTool, type ToolDefinition } from '@deepseek-ai/dsh-tools'
import { OUTCOMES, type RecallAnswer, SCOPES, type Scope } from '../../readmodels/index.ts'
import { entry } from '../injection/frame.ts'
import type { Memory } from '../memory.ts'

/** How long the tool waits for memory, in milliseconds: it was asked for, so longer than a step would. */
const DEADLINE_MS = 10_000

/** `…_recall`: look something up. */
export function recallTool(memory: Memory): ToolDefinition {
  return defineTool({
    name: `${memory.parts.config.toolName}_recall`,
    description:
      'Look up what earlier sessions remembered. Ask with the words, names, numbers or paths you are after; exact ones are matched exactly. An empty answer means that memory has no record, not that it is false.',
    parameters: {
      query: { type: 'string', required: true, description: 'What to look for, in any language.' },
      topK: { type: 'integer', description: 'How many memories to return at most.' },
      scope: {
        type: 'string',
        enum: SCOPES,
        description: 'session: said in this session; namespace: this project (default); all: every project.',
      },
    },
    output: {
      schema: {
        type: 'object',
        properties: {
          hits: { type: 'array', required: true, items: HIT },
          outcome: { type: 'string', required: true, enum: OUTCOMES },
          notice: { type: 'string' },
          counters: {
            type: 'object',
            required: true,
            properties: {
              candidates: { type: 'integer', required: true },
              skipped: { type: 'object', required: true, additionalProperties: true },
              milliseconds: { type: 'number', required: true },
            },
            additionalProperties: false,
          },
          degraded: { type: 'array', required: true, items: { type: 'string' } },
        },
        additionalProperties: false,
      },
      render: (_args, value) => [{ type: 'text', text: render(value as unknown as RecallAnswer) }],
    },
    isConcurrencySafe: () => true,
    async execute(args, exec) {
      const answer = await memory.recall(args.query, exec.agent?.session, {
        signal: exec.signal,
        deadline: DEADLINE_MS,
        ...(args.topK === undefined ? {} : { topK: Math.min(100, Math.max(1, args.topK)) }),
        ...(args.scope === undefined ? {} : { scope: args.scope as Scope }),
      })
      const { symbols: _, ...shown } = answer
      return JSON.parse(JSON.stringify(shown)) as never
    },
    presentCall: args => ({ card: 'generic', kind: 'search', title: `Recall: ${title(args)}` }),
  })
}

const SAID = {
  type: 'object',
  properties: {
    event: { type: 'string', required: true },
    session: { type: 'string', required: true },
    turn: { oneOf: [{ type: 'integer' }, { type: 'null' }], required: true },
    seq: { oneOf: [{ type: 'integer' }, { type: 'null' }], required: true },
    time: { type: 'integer', required: true },
    origin: { type: 'string', required: true },
  },
  additionalProperties: false,
} as const

const HIT = {
  type: 'object',
  properties: {
    id: { type: 'string', required: true },
    kind: { type: 'string', required: true, enum: ['block'] },
    text: { type: 'string', required: true },
    score: { type: 'number', required: true },
    exact: { type: 'boolean', required: true },
    why: { type: 'string', required: true },
    namespace: { type: 'string', required: true },
    source: { type: 'string', required: true },
    scene: { type: 'string', required: true },
    semanticType: { type: 'string', required: true },
    createdAt: { type: 'integer', required: true },
    places: { type: 'integer', required: true },
    said: { type: 'array', required: true, items: SAID },
  },
  additionalProperties: false,
} as const

/** What the model reads: the notes as inert data, each with its reason, then what there is to know about the search. */
function render({ hits, notice, degraded }: RecallAnswer): string {
  const notes = hits.map(hit => `${entry({ hit, text: hit.text })}\nwhy: ${hit.why}`)
  const remarks = [notice, ...degraded.map(reason => `Search was limited: ${reason}.`)]
  const lines = [...notes, ...remarks].filter(line => line !== undefined)
  return lines.length === 0 ? 'Memory has no record of this.' : lines.join('\n')
}

function title(args: unknown): string {
  const query: unknown = typeof args === 'object' && args !== null ? Reflect.get(args, 'query') : ''
  const text = String(query ?? '').trim()
  return text.length <= 80 ? text : `${text.slice(0, 79).toWellFormed()}…`
}
