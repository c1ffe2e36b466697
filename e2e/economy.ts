/** What injection costs the model: budgets, repetition, prefix cache, compaction, on the real binary. */
import { readStoredEvents } from '../test/support/logs.ts'
import { type ModelRequest, type ModelServer, startModelServer, textsOf } from '../test/support/model-server.ts'
import type { Checks } from './checks.ts'
import { makeHome, makeWorkspace, plugin, sessionsRoot } from './dsh.ts'
import { brokenPrefix, notesIn, patch, recalledIn, runTalk, settings } from './talk.ts'

const COMMIT = 'stablemem_commit'
const PARTS = [
  'gate',
  'queue',
  'cache',
  'relay',
  'ledger',
  'cron',
  'proxy',
  'shard',
  'mirror',
  'vault',
  'probe',
  'beacon',
]
const NOTES = PARTS.map(
  (part, n) =>
    `Kestrel's ${part} runs on host kst-${n + 10} and answers on port ${7100 + n}; ${part} logs are kept for ${n + 3} days, and its owner is team ${part}.`,
)
/** Forty ways to go on about one subject. */
const LINES = Array.from({ length: 40 }, (_, n) => {
  const part = PARTS[n % PARTS.length]
  return [
    `Where does the ${part} of Kestrel run?`,
    `And on which port does Kestrel's ${part} answer?`,
    `How long are logs of the Kestrel ${part} kept, turn ${n}?`,
    `Kestrel 的 ${part} 由谁负责？`,
  ][n % 4] as string
})
const TURN_TOKENS = 250
const SESSION_TOKENS = 900

export async function economy(checks: Checks, tarball: string): Promise<void> {
  const model = await startModelServer()
  try {
    const home = makeHome()
    const cwd = makeWorkspace()
    const added = await plugin(home, 'add', tarball)
    checks.check('dsh plugin add', added.code === 0, added)
    model.push({ toolCalls: NOTES.map(text => ({ name: COMMIT, arguments: { text } })) }, { text: 'Noted.' })
    const told = await runTalk({ home, cwd, model: model.baseURL, lines: ['Remember all of this about Kestrel.'] })
    checks.check('twelve notes are committed', told.code === 0 && model.pending() === 0, told)
    await fortyTurns(checks, { home, cwd, model })
    await acrossCompaction(checks, { home, cwd, model })
  } finally {
    await model.close()
  }
}

interface Where {
  readonly home: string
  readonly cwd: string
  readonly model: ModelServer
}

async function fortyTurns(checks: Checks, { home, cwd, model }: Where): Promise<void> {
  const check = checks.check.bind(checks)
  const injection = { turnTokens: TURN_TOKENS, sessionTokens: SESSION_TOKENS }
  const from = model.requests.length
  const patches = [settings({ injection })]
  const ran = await runTalk({ home, cwd, model: model.baseURL, lines: LINES, patches })
  const requests = model.requests.slice(from)
  check('forty turns on one subject: exit 0, silent stderr', ran.code === 0 && ran.stderr === '', ran)
  check('the model was asked forty times', requests.length === 40, requests.length)
  const last = requests.at(-1)
  if (last === undefined) return
  check(
    'all the human said is there',
    LINES.every(line => textsOf(last, 'user').includes(line)),
  )

  const repeated = requests.find(request => new Set(notesIn(request)).size < notesIn(request).length)
  check('no note is ever before the model twice', repeated === undefined, repeated?.messages)
  const costs = recalledIn(last).map(tokensOf)
  const spent = costs.reduce((sum, tokens) => sum + tokens, 0)
  check(
    `notes came in several turns (${notesIn(last).length} notes in ${costs.length} messages)`,
    costs.length > 2,
    costs,
  )
  check(
    `no turn costs more than ${TURN_TOKENS} tokens (${Math.max(...costs)})`,
    costs.every(tokens => tokens <= TURN_TOKENS),
  )
  check(`the session costs no more than ${SESSION_TOKENS} (${spent})`, spent <= SESSION_TOKENS, costs)
  check(
    'and the budget was what ended it',
    spent > SESSION_TOKENS - TURN_TOKENS && notesIn(last).length < NOTES.length,
    costs,
  )
  const broken = requests.slice(1).map((request, at) => brokenPrefix(requests[at] as ModelRequest, request))
  check(
    'each request begins with the one before it, byte for byte',
    broken.every(one => one === undefined),
    broken.find(Boolean),
  )

  const stored = await readStoredEvents(sessionsRoot(home), ran.sessions[0] ?? '')
  const said = stored.flatMap(({ type, data }) => (type.endsWith('hologram/recall') ? [tokensIn(data)] : []))
  check(
    'the log says what each message cost',
    said.length === costs.length && said.every((n, at) => n >= (costs[at] ?? 0)),
    {
      said,
      costs,
    },
  )
}

async function acrossCompaction(checks: Checks, { home, cwd, model }: Where): Promise<void> {
  const check = checks.check.bind(checks)
  const question = 'Where does the gate of Kestrel run?'
  const lines = [question, 'Thank you. Now something else.', question, 'And now?', question, question]
  const from = model.requests.length
  const talk = 'Let us talk about the weather in some detail. '.repeat(80)
  model.push(
    { text: 'On kst-10.' },
    { text: talk },
    // The context is full, says the provider: the host compacts at the next step, by a request of its own.
    { text: 'As I said.', usage: { prompt_tokens: 2_000_000, completion_tokens: 10 } },
    { text: '## Primary Request and Intent\n- talk about the weather' },
  )
  const patches = [settings(), patch([{ id: 'compaction-basic', config: { retainTokens: 60 } }])]
  const ran = await runTalk({ home, cwd, model: model.baseURL, lines, patches })
  const [summaries, requests] = [true, false].map(wanted =>
    model.requests.slice(from).filter(request => asksForSummary(request) === wanted),
  ) as [ModelRequest[], ModelRequest[]]
  check('six turns with a compaction: exit 0, silent stderr', ran.code === 0 && ran.stderr === '', ran)
  check('the host asked for a summary', summaries.length > 0 && requests.length === lines.length, requests.length)
  const [first, , before, after, again, oncemore] = requests
  if (!first || !before || !after || !again || !oncemore) return
  const seen = (request: ModelRequest) => recalledIn(request).join('\n').split('runs on host kst-10 ').length - 1
  check('the note is there once before it', seen(first) === 1 && seen(before) === 1, said(before))
  check(
    'the compaction took it away',
    seen(after) === 0 && !JSON.stringify(said(after)).includes('kst-10'),
    after.messages,
  )
  check('asked again, it is there exactly once more', seen(again) === 1, said(again))
  check('and not a second time', seen(oncemore) === 1, said(oncemore))
}

/** What a request holds beside the host's own instructions. */
function said({ messages }: ModelRequest): string[] {
  return messages.slice(1).map(({ role, content }) => `${role}: ${content.slice(0, 1_000)}`)
}

/** Whether a request is the host's own, for a summary of what it takes out of the context. */
function asksForSummary({ messages }: ModelRequest): boolean {
  return messages.at(-1)?.content.includes('compaction engine') === true
}

/** Tokens of a text, counted here on its own terms: a character is a quarter, of another script two thirds. */
function tokensOf(text: string): number {
  const wide = text.match(/[^\n\t -ɏ]/g)?.length ?? 0
  return (text.length - wide) / 4 + wide / 1.5
}

function tokensIn(data: unknown): number {
  return Number((data as { tokens?: unknown }).tokens)
}
