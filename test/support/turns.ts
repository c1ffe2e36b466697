/** Turns as a host logs them, of every structure, with the pages they are to become. */
import fc from 'fast-check'
import { type ArchiveEvent, documentId } from '../../src/events/index.ts'
import { eventId, NS_A } from './events.ts'

/** A host's event before it has a seq. */
export interface HostEvent {
  readonly type: string
  readonly time: number
  readonly data: unknown
  readonly surfaceOp?: unknown
}

/** What a page is to hold, part by part. */
export type ExpectedPart = readonly [kind: string, text: string, callId: string]

export interface Turn {
  readonly events: readonly HostEvent[]
  readonly messages: readonly string[]
  readonly calls: readonly string[]
  readonly pages: readonly (readonly ExpectedPart[])[]
}

interface CallPlan {
  readonly tool: string
  readonly args: string
  readonly result: string | null
  readonly failed: boolean
}

interface StepPlan {
  /** What the human says before it, beside the prompt. */
  readonly steering: readonly string[]
  readonly text: string
  readonly calls: readonly CallPlan[]
  /** Results come in this order. */
  readonly reversed: boolean
  readonly chunks: number
}

export interface TurnPlan {
  readonly prompt: readonly string[]
  readonly steps: readonly StepPlan[]
  readonly injected: boolean
  /** A summary replaces part of the surface in the middle of it. */
  readonly compaction: boolean
}

const words = fc.constantFrom(
  'the staging port is 8443',
  'deploy with make ship',
  '数据库端口是 5432',
  '负责人是王芳',
  'why does the build fail?',
  'line one\nline two',
  'ключ на столе',
)
const textOrNothing = fc.oneof({ weight: 4, arbitrary: words }, { weight: 1, arbitrary: fc.constant('') })

const arbCall: fc.Arbitrary<CallPlan> = fc.record({
  tool: fc.constantFrom('bash', 'read_file'),
  args: fc.constantFrom('{"path":"src/main.ts"}', '{"command":"ls -la"}', 'not json'),
  result: fc.option(words, { nil: null, freq: 4 }),
  failed: fc.boolean(),
})

const arbStep: fc.Arbitrary<StepPlan> = fc.record({
  steering: fc.array(words, { maxLength: 2 }),
  text: textOrNothing,
  calls: fc.array(arbCall, { maxLength: 3 }),
  reversed: fc.boolean(),
  chunks: fc.nat({ max: 2 }),
})

export const arbTurn: fc.Arbitrary<TurnPlan> = fc.record({
  prompt: fc.array(words, { minLength: 1, maxLength: 2 }),
  steps: fc.array(arbStep, { maxLength: 4 }),
  injected: fc.boolean(),
  compaction: fc.boolean(),
})

const text = (value: string) => [{ type: 'text', text: value }]

/** A human's message, as an event. */
export function userMessage(id: string, value: string, time = 1_000, source: object = { kind: 'user' }): HostEvent {
  return { type: 'user/message', time, surfaceOp: 'append', data: { id, role: 'user', content: text(value), source } }
}

export function assistantMessage(id: string, value: string, turn: number, step: number, time = 1_000): HostEvent {
  const message = { id, role: 'assistant', content: value === '' ? [] : text(value), source: { kind: 'model' } }
  return { type: 'assistant/message', time, surfaceOp: 'append', data: { turn, step, message } }
}

/** Builds a turn. Ids and times follow from `name`, so that two turns never share any. */
export function makeTurn(plan: TurnPlan, turn: number, name = `t${turn}`): Turn {
  const events: HostEvent[] = []
  const messages: string[] = []
  const calls: string[] = []
  const pages: ExpectedPart[][] = []
  let count = 0
  const id = (kind: string) => `${name}-${kind}${count++}`
  const time = () => 1_700_000_000_000 + turn * 60_000 + count
  const add = (type: string, data: unknown, surfaceOp?: unknown) =>
    events.push({ type, time: time(), data, ...(surfaceOp === undefined ? {} : { surfaceOp }) })
  const says = (value: string, page: ExpectedPart[]) => {
    const message = id('user')
    events.push(userMessage(message, value, time()))
    messages.push(message)
    page.push(['user', value, ''])
  }

  add('turn/start', { turn })
  let page: ExpectedPart[] = []
  for (const value of plan.prompt) says(value, page)
  if (plan.injected) {
    events.push(userMessage(id('context'), 'cwd /work', time(), { kind: 'runtime-context' }))
    events.push(
      userMessage(id('recall'), 'recalled: secret port', time(), {
        kind: 'plugin',
        plugin: 'dsh-hologram',
        form: 'recall',
      }),
    )
  }
  for (const [step, { steering, text: answer, calls: called, reversed, chunks }] of plan.steps.entries()) {
    if (step > 0) page = []
    for (const value of steering) says(value, page)
    add('step/start', { turn, step })
    for (let at = 0; at < chunks; at++) add('assistant/chunk', { turn, step, chunk: { type: 'text', text: 'x' } })
    const message = id('assistant')
    events.push(assistantMessage(message, answer, turn, step, time()))
    messages.push(message)
    if (answer !== '') page.push(['assistant', answer, ''])
    const results: Array<() => void> = []
    for (const { tool, args, result, failed } of called) {
      const callId = id('call')
      calls.push(callId)
      add('tool/call', { turn, step, callId, name: tool, arguments: args })
      page.push(['call', args, callId])
      if (result === null) continue
      page.push(['result', result, callId])
      results.push(() => {
        const block = { type: 'tool-result', toolCallId: callId, content: text(result), isError: failed }
        const source = { kind: 'tool', callId }
        add('tool/result', { turn, step, message: { id: id('result'), content: [block], source } }, 'append')
      })
    }
    for (const put of reversed ? results.reverse() : results) put()
    if (plan.compaction && step === 0) {
      const summary = { id: id('summary'), content: text('summary of it all'), source: { kind: 'user' } }
      add('user/message', summary, { op: 'replace', start: 0, end: 1 })
    }
    add('step/end', { turn, step })
    if (page.length > 0) pages.push(page)
  }
  if (plan.steps.length === 0) pages.push(page)
  add('turn/end', { turn, reason: { kind: 'completed' } })
  return { events, messages, calls, pages }
}

/** The event that archives a turn, as the plugin would make it. */
export function archiveOf(turn: Turn, n: number, session: string, over: Partial<ArchiveEvent> = {}): ArchiveEvent {
  const [first = ''] = turn.messages
  return {
    v: 1,
    id: eventId(n),
    clock: n,
    ns: NS_A,
    at: { session, turn: n, time: 1_700_000_000_000 + n },
    doc: documentId(first),
    title: `turn ${n}`,
    tags: [],
    messages: [...turn.messages],
    calls: [...turn.calls],
    ended: 'stopping',
    origin: 'archive',
    ...over,
  }
}
