/** A purged text is known by its words: inside whatever is said later, and in nothing that only looks like it. */
import { afterEach, describe, expect, it } from 'vitest'
import { blockId, type StoredEvent } from '../../../src/events/index.ts'
import { commit, NS_A, NS_B, purged } from '../../support/events.ts'
import { archiveOf } from '../../support/turns.ts'
import { dump } from '../projector/folding.ts'
import { closeStores, newHome, store } from '../worker/stores.ts'
import { ask, spoken, told } from './told.ts'

afterEach(closeStores)

const TEXT = 'the staging port is 8443'

/** What is shown of a turn of these words when a text was committed and purged before. */
function shownOf(words: string, text: string, events: readonly StoredEvent[] = forgotten(text)): string {
  const one = told([spoken(1, words)], events)
  const { doc } = archiveOf(spoken(1, words), 1, 's1')
  const document = one.document({ doc })
  const found = ask(one, words.slice(0, 200)).pages.length > 0 || ask(one, 'noted').pages.length > 0
  expect(found).toBe((document?.pages.length ?? 0) > 0)
  return JSON.stringify(document?.pages)
}

const forgotten = (text: string, n = 500): StoredEvent[] => [commit(n, text), purged(n + 1, [blockId(text)])]

describe('a purged text is withheld inside a longer one that is said later', () => {
  it.each([
    ['in the middle', `as far as I remember ${TEXT} and nothing else matters`, TEXT],
    ['across two lines', 'well, the staging\nport is 8443 as always', TEXT],
    ['at a bracket', `(${TEXT})`, TEXT],
    ['in other case, without its full stop', 'Well, The Staging Port Is 8443 and so on', `${TEXT}.`],
    ['a short one with a number', 'I think pin 4821 is it', '4821'],
    ['in Chinese', '我记得数据库的负责人是王芳没错吧', '数据库的负责人是王芳'],
    [
      'in a JSON string, escaped',
      JSON.stringify({ note: 'see: he said "go\u00e9" at\nnoon today' }),
      'said "go\u00e9" at noon',
    ],
    ['with an emoji in it', 'so the 🥝 port of staging is 8443 now', 'the 🥝 port of staging is 8443'],
    ['with marks of direction', 'and \u202bthe port is 8443\u202c then', '\u202bthe port is 8443\u202c'],
    ['composed otherwise', 'so the cafe\u0301 opens at nine they say', 'the caf\u00e9 opens at nine'],
  ])('%s', (_, words, text) => {
    expect(shownOf(words, text)).toBe('[]')
  })

  it('in a title', () => {
    const over = { named: true as const, title: `kiwi because ${TEXT} they say` }
    const one = told([spoken(1, 'the kiwi is green')], forgotten(TEXT), over)
    expect(JSON.stringify(ask(one, 'kiwi'))).not.toContain('8443')
  })

  it('until somebody commits it again, and in its namespace only', () => {
    const words = `as far as I remember ${TEXT} and nothing else`
    expect(shownOf(words, TEXT, [...forgotten(TEXT), commit(600, TEXT)])).toContain('8443')
    const elsewhere = [commit(500, TEXT, { ns: NS_B }), purged(501, [blockId(TEXT)], { ns: NS_B })]
    expect(shownOf(words, TEXT, elsewhere)).toContain('8443')
    expect(
      shownOf(words, TEXT, [commit(500, TEXT, { ns: NS_B }), purged(501, [blockId(TEXT)], { everywhere: true })]),
    ).toBe('[]')
  })

  it('one that was merged into another, too', () => {
    const other = 'staging answers on 8443 only'
    const events = [commit(500, TEXT), commit(501, other), purged(502, [blockId(TEXT), blockId(other)])]
    expect(shownOf(`they say ${other} now`, TEXT, events)).toBe('[]')
  })

  it('in whatever order it was heard of', () => {
    const [said, gone] = forgotten(TEXT)
    const orders = [
      [said, gone],
      [gone, said],
      [gone, said, commit(499, TEXT)],
    ] as StoredEvent[][]
    const dumps = orders.map(events => {
      const one = store(newHome(), { path: ':memory:' })
      one.fold([...events, commit(499, TEXT)])
      return dump(one.database)
    })
    expect(new Set(dumps).size).toBe(1)
    for (const events of orders) expect(shownOf(`I think ${TEXT} right`, TEXT, events)).toBe('[]')
  })

  it('and its words are in no table', () => {
    const one = told([spoken(1, 'the kiwi is green')], forgotten(TEXT))
    expect(dump(one.database)).not.toContain('8443')
  })
})

describe('what only looks like a purged text is shown', () => {
  it.each([
    ['a longer number', 'the staging port is 84430, or so', TEXT],
    ['a word that ends like its first', 'breathe staging port is 8443', TEXT],
    ['a word in a sentence, where one word was purged', 'the port of staging', 'port'],
    ['two characters in a sentence, where these were purged', '王芳是好的朋友', '好的'],
  ])('%s', (_, words, text) => {
    expect(shownOf(words, text)).not.toBe('[]')
  })

  it.each([
    ['on a line', 'what now?\nport\nthank you', 'port'],
    ['between marks', '好的，我知道', '好的'],
  ])('but a short one by itself is withheld, %s', (_, words, text) => {
    expect(shownOf(words, text)).toBe('[]')
  })
})

it('where only the purge is known, and not what was said, sentences are compared', () => {
  const purge = [purged(501, [blockId(TEXT)])]
  expect(shownOf(`Please note. ${TEXT}! Thanks.`, TEXT, purge)).toBe('[]')
  expect(shownOf(`I think ${TEXT} right`, TEXT, purge)).not.toBe('[]')
})

describe('looking for what was purged', () => {
  const took = (run: () => unknown): number => {
    const began = performance.now()
    run()
    return performance.now() - began
  }

  it('costs a fraction of writing what is looked through', () => {
    const line = (n: number) =>
      `${n}: the port of staging ${n * 7} was looked at, and it is as it was. Nothing to add.\n`
    const calls = Array.from({ length: 400 }, (_, n) => [`c${n}`, '{"n":1}', line(n).repeat(8)] as const)
    const turn = spoken(1, 'look at all of staging', 'noted', calls)
    const { doc } = archiveOf(turn, 1, 's1')
    let one = told([])
    const writing = took(() => {
      one = told(
        [turn],
        [...Array(300).keys()].flatMap(n =>
          forgotten(`the port ${n} of staging was closed on day ${n}`, 1_000 + 2 * n),
        ),
      )
    })
    expect(one.document({ doc })?.pages).toHaveLength(1)
    const reading = Math.min(...[1, 2, 3].map(() => took(() => one.document({ doc }))))
    expect(reading).toBeLessThan(writing / 4)
  })
})

it('a block of another namespace lends its text to nobody', () => {
  const one = told([spoken(1, `I think ${TEXT} right`)], [commit(500, TEXT, { ns: NS_B })])
  expect(ask(one, 'staging port').pages).toHaveLength(1)
  expect(one.lookup({ namespace: NS_A.id, ids: [blockId(TEXT)], pages: true })[0]?.pages).toEqual([])
})
