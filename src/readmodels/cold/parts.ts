import type { Said } from '../../events/index.ts'

/** What a document cites. */
export interface Cited {
  readonly messages: ReadonlySet<string>
  readonly calls: ReadonlySet<string>
}

/** One part of a page: what the log says, with the page it stands on. */
export interface Part {
  readonly page: number
  readonly kind: 'user' | 'assistant' | 'call' | 'result' | 'title'
  readonly text: string
  readonly tool: string
  readonly callId: string
  readonly failed: boolean
  readonly message: string
  readonly time: number
}

/** Whether a document cites a record. A call's id cites its result as well. */
export function isCited({ kind, id }: Said, { messages, calls }: Cited): boolean {
  return kind === 'message' ? messages.has(id) : calls.has(id)
}

/**
 * The parts of a document in reading order. A page is a step: the words that came before it, the answer, and each
 * call followed by its result, however they interleave in the log. Records may repeat, as in a log that was read
 * twice; the first counts.
 *
 * @param said what the log holds of it, in log order; records it does not cite are passed over
 */
export function partsOf(said: readonly Said[], cited: Cited): Part[] {
  const records = citedIn(said, cited)
  const results = new Map(records.flatMap(record => (record.kind === 'result' ? [[record.id, record] as const] : [])))
  const calls = new Set(records.flatMap(({ kind, id }) => (kind === 'call' ? [id] : [])))
  const parts: Part[] = []
  let page = -1
  let step: number | null | undefined
  const turnTo = (next: number | null): void => {
    // Words before a step open its page; the step itself then goes on there.
    if (page < 0 || step !== next) {
      if (page < 0 || step !== null) page += 1
      step = next
    }
  }
  const put = (part: Pick<Part, 'kind' | 'text' | 'time'> & Partial<Part>): void => {
    parts.push({ page, tool: '', callId: '', failed: false, message: '', ...part })
  }
  for (const record of records) {
    const { kind, id, text, time } = record
    if (kind === 'message') {
      turnTo(record.role === 'user' ? null : record.step)
      if (text !== '') put({ kind: record.role, text, time, message: id })
    } else if (kind === 'call') {
      turnTo(record.step)
      put({ kind: 'call', text, time, tool: record.tool, callId: id })
      const result = results.get(id)
      if (result === undefined) continue
      put({
        kind: 'result',
        text: result.text,
        time: result.time,
        tool: record.tool,
        callId: id,
        failed: result.failed,
      })
    } else if (!calls.has(id)) {
      // Its call is not in the log: what came of it was said all the same.
      turnTo(record.step)
      put({ kind: 'result', text, time, callId: id, failed: record.failed })
    }
  }
  return parts
}

/**
 * The records of a log that a document cites, each once. They begin with its first message: some models give the calls of
 * every turn the same ids.
 */
export function citedIn(said: readonly Said[], cited: Cited): Said[] {
  const records = said.filter(record => isCited(record, cited))
  const first = records.findIndex(({ kind }) => kind === 'message')
  const seen = new Set<string>()
  return records.slice(Math.max(0, first)).filter(({ kind, id }) => {
    const key = `${kind} ${id}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
