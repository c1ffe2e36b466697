import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ArchiveSettings,
  CommandRefusedError,
  checkNamed,
  decideArchive,
  decideDistill,
  type Named,
  type TurnSaid,
} from '../../src/commands/index.ts'
import {
  blockId,
  documentId,
  MAX_CITED,
  MAX_TAG,
  MAX_TAGS,
  MAX_TITLE,
  readEvent,
  type Said,
} from '../../src/events/index.ts'
import { anyText, STAMP } from './arbitrary.ts'

const SETTINGS: ArchiveSettings = { minChars: 40, isOwnTool: name => name.startsWith('stablemem_') }
const LONG = 'The staging database listens on port 6543 and takes TLS only.'

const at = { step: 1, seq: 0, time: 5 }
const user = (id: string, text = LONG): Said => ({ kind: 'message', id, role: 'user', text, ...at, step: null })
const model = (id: string, text = LONG): Said => ({ kind: 'message', id, role: 'assistant', text, ...at })
const call = (id: string, tool = 'read', text = '{}'): Said => ({ kind: 'call', id, tool, text, ...at })
const result = (id: string, failed = false): Said => ({ kind: 'result', id, text: 'it is so', failed, ...at })
const inLog = (...said: Said[]): Said[] => said.map((one, seq) => ({ ...one, seq: seq + 10 }))

function decided(said: readonly Said[], over: Partial<TurnSaid> = {}, settings = SETTINGS) {
  return decideArchive({ said, turn: 3, ended: 'stopping', ...over }, 'archive', settings)
}

function eventOf(said: readonly Said[], over: Partial<TurnSaid> = {}, settings = SETTINGS) {
  const event = decided(said, over, settings)?.stamp(STAMP)
  if (event === undefined) throw new Error('it is no document')
  expect(readEvent('hologram/archive', event)).toMatchObject({ kind: 'event' })
  return event
}

describe('a turn as a document', () => {
  it('is cited by ids, in log order, under the id of the human’s first message and the place of the turn', () => {
    const said = inLog(model('early'), user('m1'), call('c1'), result('c1'), model('a1', ''), call('c2'), model('a2'))
    expect(eventOf(said)).toEqual({
      v: 1,
      id: STAMP.id,
      clock: STAMP.clock,
      ns: STAMP.ns,
      at: { session: 's1', turn: 3, time: STAMP.at.time },
      doc: documentId('m1'),
      title: LONG,
      tags: ['read'],
      messages: ['early', 'm1', 'a2'],
      calls: ['c1', 'c2'],
      span: { from: 10, to: 16 },
      ended: 'stopping',
      origin: 'archive',
    })
    expect(decided(said)?.cited.map(({ id, kind }) => `${kind} ${id}`)).toEqual([
      'message early',
      'message m1',
      'call c1',
      'result c1',
      'call c2',
      'message a2',
    ])
  })

  it('holds no text but its title', () => {
    const event = eventOf(inLog(user('m1', 'Short? Yes. The rest is long enough to be a document.'), model('a1')))
    expect(event.title).toBe('Short?')
    expect(JSON.stringify(event)).not.toMatch(/long enough|6543/)
  })

  it('does not cite what our own tools brought, nor results of calls that are not in the log', () => {
    const said = inLog(user('m1'), call('own', 'stablemem_recall'), result('own'), result('lost'), call('c', 'bash'))
    const draft = decided(said)
    expect(eventOf(said)).toMatchObject({ calls: ['c'], tags: ['bash'] })
    expect(draft?.cited.map(({ id }) => id)).toEqual(['m1', 'c'])
  })

  it('that is long is cited up to a limit, and says what is missing', () => {
    const said = [
      user('m0'),
      ...Array.from({ length: MAX_CITED + 6 }, (_, n) => [model(`m${n}`), call(`c${n}`)]).flat(),
    ]
    expect(eventOf(inLog(...said))).toMatchObject({
      uncited: 12,
      messages: { length: MAX_CITED },
      calls: { length: MAX_CITED },
    })
  })

  it('a record that stands twice in the log is cited once', () => {
    const event = eventOf(inLog(user('m1'), user('m1'), call('c'), call('c'), result('c'), result('c')))
    expect([event.messages, event.calls]).toEqual([['m1'], ['c']])
  })
})

describe('no document', () => {
  const few = 'x'.repeat(39)
  it.each<[string, Said[]]>([
    ['nothing', []],
    ['a model alone', [model('a1'), call('c1')]],
    ['a human without words', [user('m1', ' \n'), model('a1')]],
    ['too little', [user('m1', few)]],
    [
      'too little, however much a tool said',
      [user('m1', 'hi'), model('a1', 'hello'), call('c', 'read', LONG.repeat(9))],
    ],
    ['too little in Chinese', [user('m1', '端'.repeat(19))]],
  ])('%s', (_, said) => {
    expect(decided(inLog(...said))).toBeUndefined()
  })

  it.each<[string, Said[]]>([
    ['just enough', [user('m1', `${few}y`)]],
    ['enough of both together', [user('m1', few), model('a1', 'y')]],
    ['half as much in Chinese', [user('m1', '端'.repeat(20))]],
  ])('but %s is one', (_, said) => {
    expect(decided(inLog(...said))).toBeDefined()
  })

  it('the floor is a setting, and none lets everything through that has words', () => {
    expect(decided(inLog(user('m1', 'hi')), {}, { ...SETTINGS, minChars: 0 })).toBeDefined()
    expect(decided(inLog(user('m1', '')), {}, { ...SETTINGS, minChars: 0 })).toBeUndefined()
    expect(decided(inLog(user('m1')), {}, { ...SETTINGS, minChars: 1_000 })).toBeUndefined()
  })
})

describe('title and tags', () => {
  const titleOf = (text: string) => eventOf(inLog(user('m1', text), model('a1'))).title

  it.each([
    ['Deploy it. Then tell me.', 'Deploy it.'],
    ['\n\n  First line\nsecond line', 'First line'],
    ['版本是 3.2 吗？先看一下', '版本是 3.2 吗？'],
    ['see foo.ts and v1.2', 'see foo.ts and v1.2'],
    ['a\tb\u0007  c', 'a b c'],
  ])('%j is called %j', (text, title) => {
    expect(titleOf(text)).toBe(title)
  })

  it('a title is cut between whole characters', () => {
    const family = '👩‍👩‍👧‍👦'
    const title = titleOf(family.repeat(100))
    expect(title.length).toBeLessThanOrEqual(MAX_TITLE)
    expect(title.replaceAll(family, '')).toBe('…')
  })

  it('secrets are in neither, not even where a text is cut', () => {
    const key = 'sk-TESTTESTTESTTESTTESTTEST1234'
    const args = JSON.stringify({ file_path: `/tmp/${key}` })
    const said = inLog(user('m1', `use ${key} for the deployment`), call('c', 'read', args))
    expect(JSON.stringify(eventOf(said))).not.toContain('TESTTEST')
    expect(titleOf(`${' '.repeat(3_990)}${key} and so on`)).not.toContain('TEST')
    expect(titleOf(`go ${'ab '.repeat(1_331)}${key} and so on`)).not.toContain('TEST')
    const jwt = `eyJ${'A'.repeat(9_000)}`
    expect(titleOf(`look at ${jwt}`)).toBe('look at')
  })

  it('tags name tools, a failure, and files, and no more of each than there is room for', () => {
    const args = [
      JSON.stringify({ file_path: 'C:\\src\\main.rs' }),
      JSON.stringify({ path: '/srv/notes/' }),
      '{"path": "broken/cut.ts", "text": "…',
      '{"path": "\\q"}',
    ]
    const said = inLog(
      user('m1'),
      ...args.flatMap((text, n) => [call(`c${n}`, `tool${n % 2}`, text), result(`c${n}`, n === 1)]),
    )
    expect(eventOf(said).tags).toEqual(['tool0', 'tool1', 'failed', 'main.rs', 'notes', 'cut.ts'])
    const many = Array.from({ length: 30 }, (_, n) => call(`c${n}`, `tool${n}`, `{"path":"f${n}"}`))
    expect(eventOf(inLog(user('m1'), ...many)).tags).toHaveLength(MAX_TAGS)
  })

  it('what somebody chose stands in their place, and is kept as chosen', () => {
    const said = inLog(user('m1'), call('c'))
    expect(eventOf(said, { named: { title: ' The  port ', tags: ['db', 'db', 'staging'] } })).toMatchObject({
      title: 'The port',
      tags: ['db', 'staging'],
      named: true,
    })
    expect(eventOf(said, { named: { title: 'The port' } })).toMatchObject({ tags: ['read'], named: true })
    expect(eventOf(said, { named: { tags: ['db'] } })).toMatchObject({ title: LONG, tags: ['db'], named: true })
  })

  it.each<[unknown, boolean]>([
    [{}, true],
    [{ title: 'x'.repeat(MAX_TITLE), tags: ['a'.repeat(MAX_TAG)] }, true],
    [{ title: 'x'.repeat(MAX_TITLE + 1) }, false],
    [{ title: 7 }, false],
    [{ tags: 'db' }, false],
    [{ tags: [''] }, false],
    [{ tags: ['a'.repeat(MAX_TAG + 1)] }, false],
    [{ tags: Array.from({ length: MAX_TAGS + 1 }, (_, n) => `${n}`) }, false],
  ])('%j may be chosen: %s', (named, fine) => {
    if (fine) return checkNamed(named as Named)
    expect(() => checkNamed(named as Named)).toThrow(CommandRefusedError)
  })

  it('any text gives a valid event', () => {
    const said = fc.array(
      fc.oneof(
        anyText.map(text => user('m', text)),
        anyText.map(text => model('a', text)),
        fc.tuple(anyText, anyText).map(([tool, text]) => call('c', tool, `{"path":${JSON.stringify(text)}}`)),
      ),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(said, anyText, anyText, (rest, ended, title) => {
        const settings = { ...SETTINGS, minChars: 0 }
        eventOf(inLog(user('m1', 'a'), ...rest), { ended }, settings)
        eventOf(inLog(user('m1', title.trim() || 'a'), ...rest), { ended, named: { title, tags: [title] } }, settings)
      }),
    )
  })
})

describe('distilling', () => {
  it('says what a document became, each block once; nothing is an answer too', () => {
    const [one, two] = [blockId('one'), blockId('two')]
    const event = decideDistill(documentId('m1'), [one, two, one], 'rules').stamp(STAMP)
    expect(event).toEqual({ v: 1, ...STAMP, doc: documentId('m1'), blocks: [one, two], by: 'rules' })
    for (const blocks of [[], Array.from({ length: 200 }, (_, n) => blockId(`${n}`))]) {
      const made = decideDistill(documentId('m1'), blocks, 'model').stamp(STAMP)
      expect(readEvent('hologram/distill', made)).toMatchObject({ kind: 'event' })
    }
  })
})
