import type { Session } from '@deepseek-ai/dsh-session'
import type { Frame } from '../../src/events/index.ts'
import type { Host } from '../../test/support/host.ts'
import { type CorpusLine, type EvaluationSet, parseTime } from '../recall/evaluationSet.ts'

/** One scope of a set, committed. */
export interface CommittedScope {
  readonly session: Session
  /** Documents of the set by block id; lines of the same text are one block. */
  readonly documents: ReadonlyMap<string, readonly string[]>
  /** The block of each document. */
  readonly blockOf: ReadonlyMap<string, string>
}

/** Commits acknowledged together. */
const AT_ONCE = 64

/** Commits the lines of one scope, in order, in a session of its own. */
export async function commitCorpus(
  host: Host,
  set: EvaluationSet,
  scope: string,
  where: { readonly sessionId: string; readonly cwd: string },
): Promise<CommittedScope> {
  const { session } = await host.createAgent(where)
  const lines = set.corpus.filter(line => (line.scope ?? '') === scope)
  const positions = new Map<string, number>()
  const documents = new Map<string, string[]>()
  for (let from = 0; from < lines.length; from += AT_ONCE) {
    const group = lines.slice(from, from + AT_ONCE).map(async line => {
      const frame = set.kind === 'conversation' ? conversationFrame(line, positions) : factFrame(line)
      const { id } = await host.ctx.stablemem.commit({ text: line.text, ...(frame && { frame }) }, { session })
      return { id, line }
    })
    for (const { id, line } of await Promise.all(group)) documents.set(id, [...(documents.get(id) ?? []), line.id])
  }
  const blockOf = new Map(Array.from(documents, ([block, lines]) => lines.map(line => [line, block] as const)).flat())
  return { session, documents, blockOf }
}

function conversationFrame(line: CorpusLine, positions: Map<string, number>): Frame {
  const conversation = line.session ?? ''
  const pageSeq = positions.get(conversation) ?? 0
  positions.set(conversation, pageSeq + 1)
  const ts = parseTime(line.time)
  return {
    pageSeq,
    conversation,
    pageKind: 'conversation',
    ...(line.speaker !== undefined && { speaker: line.speaker }),
    ...(ts !== undefined && { ts }),
  }
}

function factFrame(line: CorpusLine): Frame | undefined {
  const ts = parseTime(line.time)
  return ts === undefined ? undefined : { ts }
}
