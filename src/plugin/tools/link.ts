import { defineTool, type ToolDefinition } from '@deepseek-ai/dsh-tools'
import { ENDPOINT_KINDS } from '../../events/index.ts'
import type { Memory } from '../memory.ts'
import { caller } from './caller.ts'
import { andSubagents, BLOCK_ID, PENDING_FLAG } from './parts.ts'
import { PENDING, text } from './text.ts'
import { called, calling } from './view.ts'

const CARDS = { kind: 'other', doing: 'Link', done: 'Linked', failed: 'Not linked' } as const
const REMOVING = { kind: 'other', doing: 'Unlink', done: 'Unlinked', failed: 'Not unlinked' } as const

interface Edge {
  readonly type: string
  readonly sourceId: string
  readonly targetId: string
  readonly remove?: boolean
}

/** `…_link`: tie two things together, or undo it. */
export function linkTool(memory: Memory): ToolDefinition {
  return defineTool({
    name: `${memory.parts.config.toolName}_link`,
    description: `Tie (make an edge from) a memory to another memory, or to a person, system or topic: "source type target". With type supersedes, from the newer memory to the older one, recall answers with the newer one only. \`remove: true\` with the same five values ends a tie. A memory that holds several facts is replaced as a whole: commit those that still hold by themselves first. Refused: a memory or turn that this project does not have or that was forgotten, a tie to remove that is not there, two equal ends${andSubagents(memory)}.`,
    // The type first: clients show the first text of a call as its summary.
    parameters: {
      type: {
        type: 'string',
        required: true,
        description:
          'supersedes (replaces), mentions (is about), contains, derived_from, or one word of your own such as depends_on: letters, digits and _ : . -, at most 64.',
      },
      sourceKind: {
        type: 'string',
        required: true,
        enum: ENDPOINT_KINDS,
        description:
          'block: a memory. entity: a person, system or topic. sentence: a statement. document: an archived turn.',
      },
      sourceId: {
        type: 'string',
        required: true,
        description: `Of a block its id: ${BLOCK_ID}. Of an entity its name, of a sentence its text. Of a document its id, doc_…, as pages give it.`,
      },
      targetKind: { type: 'string', required: true, enum: ENDPOINT_KINDS, description: 'As sourceKind.' },
      targetId: { type: 'string', required: true, description: 'As sourceId.' },
      confidence: { type: 'number', description: 'How sure it is, from 0 to 1. Default 1.' },
      remove: { type: 'boolean', description: 'true: end this tie instead of making it.' },
    },
    output: {
      schema: {
        type: 'object',
        properties: {
          linked: { type: 'boolean', required: true, description: 'false: the tie was ended.' },
          pending: PENDING_FLAG,
        },
        additionalProperties: false,
      },
      render: (args, { linked, pending }) =>
        text(`${linked ? 'Linked' : 'Unlinked'}: ${subject(args)}.`, pending ? PENDING : undefined),
    },
    async execute({ remove, ...edge }, exec) {
      const who = caller(exec)
      const done = await (remove === true ? memory.unlink(edge, who) : memory.link(edge, who))
      return { linked: remove !== true, ...done }
    },
    presentCall: args => calling(args.remove === true ? REMOVING : CARDS, subject(args)),
    presentResult: (args, result) => called(args.remove === true ? REMOVING : CARDS, subject(args), result),
  })
}

function subject({ sourceId, type, targetId }: Edge): string {
  return `${sourceId} ${type} ${targetId}`
}
