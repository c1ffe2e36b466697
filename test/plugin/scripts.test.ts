/** Case 9 for every script: texts without a Latin letter are memories of their own, and one of them in two forms is one. */
import { describe, expect, it } from 'vitest'
import { agentIn, rig } from './rig.ts'

/** Two facts that differ in a word or a sign, by script. */
const WRITTEN: Readonly<Record<string, readonly [string, string]>> = {
  Arabic: ['خادم البريد يعمل', 'خادم الويب يعمل'],
  'Arabic digits': ['المنفذ هو ٨٠٨٠', 'المنفذ هو ٨٠٨١'],
  Hebrew: ['הפורט הוא אחד', 'הפורט הוא שניים'],
  Thai: ['พอร์ตคือแปด', 'พอร์ตคือเก้า'],
  Devanagari: ['पोर्ट आठ है', 'पोर्ट नौ है'],
  Tamil: ['கதவு திறந்தது', 'கதவு மூடியது'],
  Greek: ['η θύρα είναι ανοιχτή', 'η θύρα είναι κλειστή'],
  Cyrillic: ['порт открыт', 'порт закрыт'],
  Armenian: ['դուռը բաց է', 'դուռը փակ է'],
  Georgian: ['კარი ღიაა', 'კარი დაკეტილია'],
  Hangul: ['포트는 열려 있다', '포트는 닫혀 있다'],
  kana: ['ポートはあいている', 'ポートはしまっている'],
  Han: ['端口是八零八零', '端口是八零八一'],
}
/** No word is in these: they are kept apart, and shown by scene. */
const SIGNS = ['😀', '😁', '👩‍👩‍👧‍👦', '👩‍👩‍👧', '🇩🇪', '🇫🇷', '👍🏽', '👍🏿', '❤️', '❤', '→', '—', '?!', '٪']

describe('what is written in another script', () => {
  it('is one memory a fact, each found first by its own words', async () => {
    const { host, memory } = await rig()
    const { session } = await agentIn(host)
    const texts = Object.values(WRITTEN).flat()
    const ids = new Set<string>()
    for (const text of texts) ids.add((await memory.commit({ text }, { session })).id)
    expect(ids.size).toBe(texts.length)
    for (const text of texts) {
      const { hits, outcome } = await memory.recall(text, { session, topK: 3 })
      expect([outcome, hits[0]?.text]).toEqual(['hits', text])
      expect(hits.filter(hit => hit.text === text)).toHaveLength(1)
    }
  })

  it('is the same memory decomposed and with other blanks, which never blank what is known of it', async () => {
    const { host, memory } = await rig()
    const { session } = await agentIn(host)
    for (const text of Object.values(WRITTEN).flat()) {
      const { id } = await memory.commit({ text, scene: 'letters', source: 'Ada' }, { session })
      const again = await memory.commit({ text: ` ${text.normalize('NFD').replaceAll(' ', '\u3000 ')}\n` }, { session })
      expect(again).toMatchObject({ id, created: false })
      const { hits } = await memory.recall(text, { session, topK: 1 })
      expect(hits).toMatchObject([{ id, text, scene: 'letters', source: 'Ada', places: 2 }])
    }
  })

  it('is kept apart where it is signs only', async () => {
    const { host, memory } = await rig()
    const { session } = await agentIn(host)
    for (const [n, text] of SIGNS.entries()) await memory.commit({ text, scene: `signs/${n >> 1}` }, { session })
    for (let n = 0; n < SIGNS.length; n += 2) {
      const { hits } = await memory.recall('', { session, filters: { scene: `signs/${n >> 1}` } })
      expect(hits.map(({ text }) => text)).toEqual([SIGNS[n + 1], SIGNS[n]])
    }
    // Nothing to look for is no error.
    expect(await memory.recall('😀', { session })).toMatchObject({ outcome: 'empty_query', hits: [] })
  })
})
