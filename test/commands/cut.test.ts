/** Case 33: what is cut to the length an event may hold is cut between whole characters, and nothing stands for a half. */
import { describe, expect, it } from 'vitest'
import { decideCommit, decideLink, decideMerge, recallEvent } from '../../src/commands/index.ts'
import { blockId, namedNamespace } from '../../src/events/index.ts'
import { STAMP } from './arbitrary.ts'

const FAMILY = '👩‍👩‍👧‍👦'
const [ONE, TWO] = [blockId('one'), blockId('two')]
const living = new Map([ONE, TWO].map(id => [id, { state: 'living', representative: id, family: [id] } as const]))

/** Longer than any limit; with each number of letters before them, the limit falls elsewhere in a character. */
const long = (letters: number, character: string) => 'x'.repeat(letters) + character.repeat(2_500)
/** Within the limit of a field until a marker, which is longer, stands for what it holds. */
const grows = (letters: number, character: string) => {
  const secret = 'pwd=a1bc '.repeat(15) + 'x'.repeat(letters)
  return secret + character.repeat(Math.floor((500 - secret.length) / character.length))
}

const CUTS: ReadonlyArray<readonly [string, (letters: number, character: string) => string | undefined]> = [
  ['the reason of a merge', (n, one) => reasonOf(long(n, one))],
  ['the name of an entity', (n, one) => nameOf(grows(n, one))],
  [
    'where a text is from',
    (n, one) => decideCommit({ text: 't', source: grows(n, one) }, 'tool', { maxBytes: 9 }).stamp(STAMP).source,
  ],
  ['why it was recalled', (n, one) => recalled(long(n, one)).hits[0]?.why],
  ['what was looked for', (n, one) => recalled(long(n, one)).query.symbols[0]],
  ['how a recall ended', (n, one) => recalled(long(n, one)).outcome],
  ['the label of a namespace', (n, one) => namedNamespace(long(n, one)).label],
]

function reasonOf(reason: string): string | undefined {
  return decideMerge({ keep: ONE, drop: TWO, reason }, 'tool', living).stamp(STAMP).reason
}

function nameOf(sourceId: string): string {
  const edge = { sourceKind: 'entity', sourceId, targetKind: 'entity', targetId: 'y', type: 'near' } as const
  return decideLink(edge, 'tool', new Map()).stamp(STAMP).sourceId
}

function recalled(text: string) {
  const hits = [{ block: ONE, score: 1, exact: false, why: text }]
  return recallEvent({ mode: 'tool', query: 'q', symbols: [text], hits, outcome: text, degraded: [] }, STAMP)
}

describe.each(CUTS)('%s', (_, cut) => {
  it.each(['😀', 'e\u0301', FAMILY, '🇩🇪'])('never ends within %s', character => {
    for (let letters = 1; letters <= 2 * character.length; letters++) {
      const [, characters = 'none'] = /x([^x]*)$/u.exec(cut(letters, character) ?? '') ?? []
      expect(characters.replaceAll(character, '')).toBe('')
      expect(characters).not.toBe('')
    }
  })
})

it('a reason holds no NUL (case 32)', () => {
  expect(reasonOf('no longer\0 true\0')).toBe('no longer true')
})
