import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockId, canonicalText } from '../../src/events/index.ts'

/** Characters that canonical texts are about: blanks, line ends, combining marks, halves of surrogate pairs, scripts. */
const unit = fc.oneof(
  fc.constantFrom(' ', '\t', '\n', '\r', '\r\n', '\u00a0', '\u2003', '\u2028', '\u3000', '\ufeff'),
  fc.constantFrom('e', 'é', 'é'.normalize('NFD'), '\u0301', 'ﬁ', 'Å', '\u212b', '가', '가'.normalize('NFD')),
  fc.constantFrom('\ud83d', '\ude00', '😀', '端', '口', 'あ', '٣', 'я', 'א'),
  fc.string({ unit: 'binary', maxLength: 3 }),
)
const text = fc.array(unit, { maxLength: 30 }).map(parts => parts.join(''))

describe('one fact, one block (case 9)', () => {
  it.each([
    ['a blank at the end', 'port is 8080 '],
    ['a run of blanks', 'port  is 8080'],
    ['a tab', 'port\tis 8080'],
    ['a line end', 'port is\n8080'],
    ['a Windows line end', 'port is\r\n8080'],
    ['an empty line', 'port is\n\n\n8080'],
    ['a no-break space', 'port is\u00a08080'],
    ['an ideographic blank', '\u3000port is 8080'],
    ['a byte order mark', '\ufeffport is 8080'],
    ['a line separator', 'port\u2028is 8080'],
  ])('%s makes no other block', (_, variant) => {
    expect(variant).not.toBe('port is 8080')
    expect(blockId(variant)).toBe(blockId('port is 8080'))
  })

  it.each(['café', '각', 'Å', 'ñandú', 'の゙が'])('composed and decomposed %s are one block', word => {
    expect(blockId(word.normalize('NFD'))).toBe(blockId(word.normalize('NFC')))
  })

  it.each([
    ['case', 'Port is 8080', 'port is 8080'],
    ['a number', 'port is 8081', 'port is 8080'],
    ['punctuation', 'port is 8080.', 'port is 8080'],
    ['an accent', 'cafe', 'café'],
    ['a compatibility form', 'ﬁle', 'file'],
    ['full width', '８０８０', '8080'],
    ['a missing blank', 'port is8080', 'port is 8080'],
    ['a zero-width joiner', 'a\u200db', 'ab'],
  ])('%s makes another block', (_, a, b) => {
    expect(blockId(a)).not.toBe(blockId(b))
  })

  it('texts without a Latin letter stay distinct, whatever their script', () => {
    const texts = [
      '端口是八零八零',
      '端口是八零八一',
      '端口',
      '數據庫',
      '数据库',
      'порт 8080',
      'порта 8080',
      'ポート',
      'ほーと',
    ]
    texts.push('포트', '٨٠٨٠', '8080', 'פורט', 'الميناء', 'ท่าเรือ', '😀', '😁', '→', '—', '?', '!')
    expect(new Set(texts.map(blockId)).size).toBe(texts.length)
  })
})

describe('lone surrogates (case 33)', () => {
  it('become U+FFFD, so that what is hashed is what can be stored', () => {
    expect(canonicalText('ok \ud83d end')).toBe('ok \ufffd end')
    expect(canonicalText('ok \ude00 end')).toBe('ok \ufffd end')
    expect(canonicalText('\ud83d\ud83d\ude00')).toBe('\ufffd😀')
  })

  it('the id of a text is the id of its stored bytes', () => {
    fc.assert(
      fc.property(text, value => {
        expect(blockId(Buffer.from(value, 'utf8').toString('utf8'))).toBe(blockId(value))
      }),
    )
  })
})

describe('the canonical form', () => {
  it('is well-formed, in NFC, without a run of white space, and trimmed', () => {
    fc.assert(
      fc.property(text, value => {
        const canonical = canonicalText(value)
        expect(canonical.isWellFormed()).toBe(true)
        expect(canonical.normalize('NFC')).toBe(canonical)
        expect(canonical).not.toMatch(/\s\s|^\s|\s$|[^\S ]/u)
      }),
    )
  })

  it('is its own canonical form', () => {
    fc.assert(
      fc.property(text, value => {
        expect(canonicalText(canonicalText(value))).toBe(canonicalText(value))
      }),
    )
  })

  it('is all the id depends on: two texts share an id exactly when they share the form', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(blockId(a) === blockId(b)).toBe(canonicalText(a) === canonicalText(b))
      }),
    )
  })
})

describe('the block id', () => {
  it('is blk_ and the first twelve bytes of the SHA-256 in hex, for ever', () => {
    // echo -n 'port is 8080' | sha256sum
    expect(blockId('port is 8080')).toBe('blk_cb473d844592c22cb9d8179b')
    expect(blockId('端口 8080')).toMatch(/^blk_[0-9a-f]{24}$/)
  })
})
