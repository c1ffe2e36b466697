/** V1: a hundred commits at once, and every one of them comes back. */
import { readStoredEvents, stockOpen } from '../../test/support/logs.ts'
import { all, atDesk, type Found, isType } from './desk.ts'

const WRITES = 100

/** Texts that a careless store would change: two scripts, quotes, a decomposed letter, an emoji, odd blanks. */
function textOf(n: number): string {
  const port = 20_000 + n
  return n % 2 === 0
    ? `service-${n} listens on port ${port}; its owner said "cafe\u0301" \u{1f980}\tonce`
    : `服务${n}号监听端口 ${port}，负责人说“先看日志”  \n再重启`
}

export async function concurrentWrites(): Promise<Found> {
  const texts = Array.from({ length: WRITES }, (_, n) => textOf(n))
  const { root, evidence, conditions } = await atDesk({}, async ({ host, agent }) => {
    const { session } = await agent('v1')
    const memory = host.ctx.stablemem
    const started = performance.now()
    const committed = await Promise.all(texts.map(text => memory.commit({ text }, { session })))
    const milliseconds = Math.round(performance.now() - started)
    const ids = new Set(committed.map(({ id }) => id))
    const answers = await Promise.all(
      texts.map((_, n) => memory.recall(`${20_000 + n}`, { session, topK: 1 }).then(({ hits }) => hits[0])),
    )
    const same = answers.filter((hit, n) => hit?.text === texts[n] && hit?.id === committed[n]?.id).length
    const { blocks } = await memory.stats()
    return {
      root: host.sessionsRoot,
      evidence: `${WRITES} commits at once in ${milliseconds} ms: ${ids.size} ids, ${blocks} blocks, ${same} recalled byte for byte`,
      conditions: {
        'every commit made a block of its own': ids.size === WRITES && committed.every(({ created }) => created),
        'the database holds them': blocks === WRITES,
        'each comes back as it was given': same === WRITES,
      },
    }
  })
  const stored = (await readStoredEvents(root, 'v1')).filter(event => isType(event, 'hologram/commit'))
  const marked = stored.filter(event => event.ignorable === true).length
  const clocks = stored.map(({ data }) => (data as unknown as { clock: number }).clock)
  return all(
    {
      ...conditions,
      'the session log holds every one, marked': stored.length === WRITES && marked === WRITES,
      'clocks rise strictly': clocks.every((clock, at) => at === 0 || clock > (clocks[at - 1] ?? clock)),
      'a stock host opens the session': (await stockOpen(root, 'zstd', 'v1')).ok,
    },
    `${evidence}; ${marked} marked events in the session log`,
  )
}
