/**
 * V2: what recall finds, by how far a question is from the words it is looking for. Tiers 1 and 2 must be complete. Tiers
 * 3 and 4 share no word with their fact; a search by words finds none of them, and that figure is pinned, so that the
 * day it changes is noticed.
 */
import { atDesk, type Found } from './desk.ts'

interface Question {
  readonly asks: string
  readonly wants: string
}

const FACTS = {
  gateway: 'The gateway of project Osprey listens on 10.0.4.17:8021.',
  relay: 'The relay of project Osprey listens on 10.0.4.170:18021.',
  error: 'ERR_PAY_1042 means that the card issuer timed out.',
  config: 'Rate limits are kept in /etc/osprey/limits.toml.',
  deploys: 'Deployments to production are frozen on Fridays after 15:00.',
  review: 'Two reviewers must approve a database migration before it is merged.',
  customs: 'Shipments to Norway are held at customs until the invoice is stamped.',
  login: '用户身份校验在网关层完成，令牌有效期为两小时。',
  backup: '数据库每天凌晨三点备份到杭州机房。',
  build: '第三步重跑build-alpha后生成12条记录。',
  leave: '员工年假需提前两周向主管申请。',
  cat: 'Mimi, the office cat, is fed by Jonas every morning.',
} as const

/** How many of a tier's facts come back among the first hits, and how many must. */
interface Tier {
  readonly name: string
  readonly questions: readonly Question[]
  readonly expected: number
}

/** Hits that are looked at. */
const PRESENT = 3

const TIERS: readonly Tier[] = [
  {
    name: 'tier 1, exact tokens',
    expected: 6,
    questions: [
      { asks: '8021', wants: FACTS.gateway },
      { asks: '10.0.4.170', wants: FACTS.relay },
      { asks: 'what is ERR_PAY_1042', wants: FACTS.error },
      { asks: 'limits.toml', wants: FACTS.config },
      { asks: 'build-alpha', wants: FACTS.build },
      { asks: '身份校验', wants: FACTS.login },
    ],
  },
  {
    name: 'tier 2, the same things in other words',
    expected: 7,
    questions: [
      { asks: 'may I deploy to production on a Friday evening?', wants: FACTS.deploys },
      { asks: 'how many people have to review migrations of the database', wants: FACTS.review },
      { asks: 'Why was our shipment to Norway not delivered?', wants: FACTS.customs },
      { asks: 'who feeds the cat?', wants: FACTS.cat },
      { asks: '令牌多久过期？', wants: FACTS.login },
      { asks: '資料庫備份放在哪個機房？', wants: FACTS.backup },
      { asks: '想休年假要找谁申请', wants: FACTS.leave },
    ],
  },
  {
    name: 'tier 3, synonyms only',
    // The last question shares single characters with its fact.
    expected: 1,
    questions: [
      { asks: 'can I ship a release at the weekend?', wants: FACTS.deploys },
      { asks: 'what does the pet eat?', wants: FACTS.cat },
      { asks: '放假怎么请', wants: FACTS.leave },
    ],
  },
  {
    name: 'tier 4, another language',
    expected: 0,
    questions: [
      { asks: '海关为什么扣住了包裹？', wants: FACTS.customs },
      { asks: 'when are snapshots of our records taken?', wants: FACTS.backup },
      { asks: 'how long is a session valid after signing in?', wants: FACTS.login },
    ],
  },
]

export async function tiers(): Promise<Found> {
  return atDesk({}, async ({ host, agent }) => {
    const { session } = await agent('v2')
    for (const text of Object.values(FACTS)) await host.ctx.stablemem.commit({ text }, { session })
    const parts: string[] = []
    let ok = true
    for (const { name, questions, expected } of TIERS) {
      const missed: string[] = []
      for (const { asks, wants } of questions) {
        const { hits } = await host.ctx.stablemem.recall(asks, { session, topK: PRESENT })
        if (!hits.some(({ text }) => text === wants)) missed.push(asks)
      }
      const present = questions.length - missed.length
      const must = expected === questions.length
      parts.push(`${name}: ${present} of ${questions.length}${must ? '' : ` (pinned at ${expected})`}`)
      if (present === expected) continue
      ok = false
      parts.push(must ? `missed ${missed.join(' / ')}` : 'the pin has moved')
    }
    return { ok, evidence: parts.join('; ') }
  })
}
