/** A5†: what the index is for. Looking for a text in a text cannot tell a port from a longer number that holds it. */
import { all, atDesk, type Found } from './desk.ts'

/** Right answers last, so that a search that cannot tell does not find them by being stored first. */
const FACTS = [
  'svc-b listens on 18021',
  'svc-c listens on 80219',
  'svc-a listens on 8021',
  'the backup host is 10.0.0.55',
  'the build host is 10.0.0.5',
  'billing2 is the new billing system',
  'billing is closed on Sundays',
  '网关超时设为三十秒，身份校验失败时不重试',
  '用户身份校验在网关层完成',
] as const

const QUESTIONS = [
  { asks: '8021', wants: 'svc-a listens on 8021' },
  { asks: '10.0.0.5', wants: 'the build host is 10.0.0.5' },
  { asks: 'billing', wants: 'billing is closed on Sundays' },
  { asks: '网关 身份校验', wants: '用户身份校验在网关层完成' },
] as const

interface Scored {
  readonly text: string
  readonly score: number
}

/** Whether a recall puts the right fact alone at the top; what it could not tell apart otherwise. */
async function discriminates(recall: (query: string) => Promise<readonly Scored[]>) {
  const told: string[] = []
  const tied: string[] = []
  for (const { asks, wants } of QUESTIONS) {
    const [first, second] = await recall(asks)
    const alone = first !== undefined && first.score > (second?.score ?? 0)
    if (alone && first.text === wants) told.push(asks)
    else
      tied.push(
        alone
          ? `"${asks}" finds "${first.text}"`
          : `"${asks}" cannot tell "${first?.text ?? 'nothing'}" from "${second?.text ?? 'nothing'}"`,
      )
  }
  return { told, tied }
}

/** The obvious recall: a fact is as good as the number of the question's words it contains. */
async function byContainment(query: string): Promise<Scored[]> {
  const words = query.split(' ')
  return FACTS.map(text => ({ text, score: words.filter(word => text.includes(word)).length }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
}

export async function containment(): Promise<Found> {
  return atDesk({}, async ({ host, agent }) => {
    const { session } = await agent('a5')
    for (const text of FACTS) await host.ctx.stablemem.commit({ text }, { session })
    const index = await discriminates(async query => (await host.ctx.stablemem.recall(query, { session })).hits)
    const contains = await discriminates(byContainment)
    return all(
      {
        'the index puts the right fact alone at the top': index.tied.length === 0,
        'containment loses it every time': contains.told.length === 0,
      },
      `the index tells ${index.told.length} of ${QUESTIONS.length} apart, containment ${contains.told.length}: ${[...index.tied, ...contains.tied].join('; ')}`,
    )
  })
}
