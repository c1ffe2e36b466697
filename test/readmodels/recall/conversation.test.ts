import { describe, expect, it } from 'vitest'
import { ask, emptyMemory, type Note, remember, texts } from './memory.ts'

const DAY = 86_400_000
const START = Date.UTC(2024, 4, 10)

/** A talk in one session: `speaker: words`. */
function talk(session: string, lines: readonly string[], from = 0, saidAt = START): Note[] {
  return lines.map((line, i) => {
    const speaker = /^(\S+?)[:：]/.exec(line)?.[1] ?? 'user'
    return { text: line, id: `${session}-${i}`, said: { session, position: from + i, speaker, saidAt } }
  })
}

function memory(...talks: readonly Note[][]): ReturnType<typeof emptyMemory> {
  const db = emptyMemory()
  remember(db, talks.flat())
  return db
}

describe('lines of a conversation', () => {
  it('find an answer by the question it answers, in both languages', () => {
    const db = memory(
      talk('a', ['Ann: Which instrument do you play?', 'Bob: The oboe, since school.', 'Ann: Lovely.']),
      talk('b', ['Ann: The weather is fine.', 'Bob: Yes, very warm.', 'Ann: We should walk.']),
      talk('c', ['小红：你家的猫叫什么名字？', '小明：叫团子，三岁了。', '小红：真可爱。']),
    )
    expect(texts(ask(db, 'What instrument does Bob play?')).slice(0, 2)).toContain('Bob: The oboe, since school.')
    expect(texts(ask(db, '小明的猫叫什么名字')).slice(0, 2)).toContain('小明：叫团子，三岁了。')
  })

  it('come later when they only ask', () => {
    const db = memory(
      talk('a', ['Ann: Did the harvest festival go well?']),
      talk('b', ['Ann: The harvest festival went well.']),
    )
    expect(texts(ask(db, 'harvest festival'))[0]).toBe('Ann: The harvest festival went well.')
    const zh = memory(talk('a', ['小红：丰收节办得顺利吗']), talk('b', ['小红：丰收节办得很顺利']))
    expect(texts(ask(zh, '丰收节办得顺利'))[0]).toBe('小红：丰收节办得很顺利')
  })

  it('come first when the named speaker said them', () => {
    const db = memory(talk('a', ['Bob: I adore the lighthouse.']), talk('b', ['Ann: I adore the lighthouse.']))
    expect(ask(db, 'who says that Ann adores the lighthouse').hits[0]).toMatchObject({
      text: 'Ann: I adore the lighthouse.',
      why: expect.stringContaining('said by Ann'),
    })
    const zh = memory(talk('a', ['小红：我喜欢灯塔']), talk('b', ['小明：我喜欢灯塔']))
    expect(ask(zh, '小明喜欢的灯塔').hits[0]).toMatchObject({ text: '小明：我喜欢灯塔' })
    const full = memory(talk('a', ['李小红：我喜欢灯塔']), talk('b', ['王小明：我喜欢灯塔']))
    expect(ask(full, '小明喜欢灯塔吗').hits[0]).toMatchObject({ why: expect.stringContaining('said by 王小明') })
  })

  it('answer "when" by saying when', () => {
    const db = memory(talk('a', ['Ann: The kiln broke again.']), talk('b', ['Ann: The kiln broke yesterday.']))
    expect(ask(db, 'When did the kiln break?').hits[0]).toMatchObject({
      text: 'Ann: The kiln broke yesterday.',
      why: expect.stringContaining('says when'),
    })
    const zh = memory(talk('a', ['小红：窑炉真的坏了']), talk('b', ['小红：窑炉昨天坏了']))
    expect(texts(ask(zh, '窑炉什么时候坏了'))[0]).toBe('小红：窑炉昨天坏了')
  })

  it.each(['What did Ann fix on 20 May 2024?', 'Ann 在2024年5月20日修了什么 fix'])(
    'meet a date of the question by when they were said: %s',
    question => {
      const db = memory(
        talk('a', ['Ann: We fixed a boat.']),
        talk('b', ['Ann: We fixed a cart.'], 0, START + 10 * DAY),
        talk('c', ['Ann: We fixed a sled.'], 0, START + 60 * DAY),
      )
      expect(ask(db, question).hits[0]).toMatchObject({
        text: 'Ann: We fixed a cart.',
        why: expect.stringContaining('said on the day asked about'),
      })
    },
  )

  it('lend nothing to facts, and facts lend nothing to each other', () => {
    const db = emptyMemory()
    remember(db, ['alpha beta gamma', 'unrelated words here', 'more of nothing'])
    expect(texts(ask(db, 'alpha'))).toEqual(['alpha beta gamma'])
    const lines = memory(talk('a', ['alpha beta gamma', 'unrelated words here']))
    expect(ask(lines, 'alpha').hits[1]).toMatchObject({ why: '"alpha" in the lines around it' })
  })

  it('are neighbours within one session only', () => {
    const db = memory(talk('a', ['alpha beta']), talk('b', ['gamma delta'], 1))
    expect(texts(ask(db, 'alpha'))).toEqual(['alpha beta'])
  })
})
