import { describe, expect, it } from 'vitest'
import { eventName, isOurs, recordName, VERBS, verbOf } from '../../src/events/index.ts'

describe('the names an event may carry', () => {
  it.each(VERBS)('%s is known under all three, and under no other', verb => {
    for (const type of [`hologram/${verb}`, `plugin:hologram/${verb}`, `plugin:dsh-hologram/${verb}`]) {
      expect(isOurs(type)).toBe(true)
      expect(verbOf(type)).toBe(verb)
    }
    for (const type of [
      verb,
      `/${verb}`,
      `Hologram/${verb}`,
      `dsh-hologram/${verb}`,
      `plugin:hologram-x/${verb}`,
      `plugin:other/hologram/${verb}`,
      `plugin:plugin:hologram/${verb}`,
      ` hologram/${verb}`,
    ]) {
      expect(isOurs(type)).toBe(false)
      expect(verbOf(type)).toBeUndefined()
    }
  })

  it.each(VERBS)('%s is written under the first and the last of them', verb => {
    expect(eventName(verb)).toBe(`hologram/${verb}`)
    expect(recordName(verb)).toBe(`plugin:dsh-hologram/${verb}`)
  })

  it('the record name is one that hosts with plugin records accept', () => {
    for (const verb of VERBS) expect(recordName(verb)).toMatch(/^plugin:[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/)
  })

  it.each(['', 'toString', '__proto__', 'commit/', 'commit ', 'COMMIT', 'hologram/commit'])(
    'a verb of another version of us, "%s", is ours but has no meaning yet',
    verb => {
      expect(isOurs(`hologram/${verb}`)).toBe(true)
      expect(verbOf(`hologram/${verb}`)).toBeUndefined()
    },
  )

  it.each([undefined, null, 3, {}, ['hologram/commit'], Symbol('hologram/commit')])('%o is no name', type => {
    expect(isOurs(type)).toBe(false)
    expect(verbOf(type)).toBeUndefined()
  })
})
