import { describe, expect, it } from 'vitest'
import { distilTurn } from '../../../src/commands/distill/index.ts'
import { DEVELOPMENT_CHINESE, DEVELOPMENT_ENGLISH } from '../../fixtures/distill/development.ts'
import { KEPT_ASIDE_CHINESE, KEPT_ASIDE_ENGLISH } from '../../fixtures/distill/kept-aside.ts'
import type { Labelled } from '../../fixtures/distill/labelled.ts'

const asked = (facts: readonly (readonly [string, string | undefined, string])[]) =>
  facts.map(([subject, dim, value]) => JSON.stringify([subject, dim ?? null, value]))

/** A fact counts as right only if subject, dimension and value are all as labelled. */
function measure(set: readonly Labelled[]) {
  let [right, produced, labelled] = [0, 0, 0]
  for (const { role, text, facts } of set) {
    const got = asked(distilTurn([{ role, text }]).map(({ subject, dim, value }) => [subject, dim, value]))
    const want = asked(facts)
    right += got.filter(fact => want.includes(fact)).length
    produced += got.length
    labelled += want.length
  }
  return { sentences: set.length, right, produced, labelled, precision: right / produced, recall: right / labelled }
}

const SETS = [
  ['development, English', DEVELOPMENT_ENGLISH],
  ['development, Chinese', DEVELOPMENT_CHINESE],
  ['kept aside, English', KEPT_ASIDE_ENGLISH],
  ['kept aside, Chinese', KEPT_ASIDE_CHINESE],
] as const

describe('the labelled sentences', () => {
  it.each(SETS)('%s: precise, and most are found', (name, set) => {
    const figures = measure(set)
    console.log(name, JSON.stringify(figures))
    expect(figures.labelled).toBeGreaterThanOrEqual(30)
    expect(figures.precision).toBeGreaterThanOrEqual(0.95)
    expect(figures.recall).toBeGreaterThanOrEqual(0.9)
  })

  it('hold more that tempts than that is true, no sentence twice, and every label verbatim', () => {
    const all = SETS.flatMap(([, set]) => set)
    expect(all.length).toBeGreaterThanOrEqual(240)
    expect(new Set(all.map(({ role, text }) => `${role} ${text}`)).size).toBe(all.length)
    expect(all.filter(({ facts }) => facts.length === 0).length).toBeGreaterThan(all.length / 2)
    for (const { text, facts } of all) {
      for (const [subject, , value] of facts) {
        expect(text).toContain(subject)
        expect(text).toContain(value)
      }
    }
  })

  it('measures what it says', () => {
    const set: Labelled[] = [
      { role: 'user', text: 'The billing port is 8443.', facts: [['billing', 'port', '8443']] },
      { role: 'user', text: 'The proxy port is 9090.', facts: [['proxy', 'port', '9091']] },
      { role: 'user', text: 'Nothing to read here.', facts: [['x', 'port', '1']] },
    ]
    expect(measure(set)).toMatchObject({ right: 1, produced: 2, labelled: 3, precision: 0.5 })
  })
})
