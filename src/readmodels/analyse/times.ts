/** When a question is about: the dates and relative times it names, and what is left of it beside them. */
import { bareWord } from './compounds.ts'
import { datesOf, type NamedDate } from './dates.ts'
import { CHINESE_FUNCTION_WORDS, ENGLISH_FUNCTION_WORDS } from './functionWords.ts'
import { type RelativeTime, relativeTimesOf } from './relativeTimes.ts'
import { eachRun } from './runs.ts'

/** A date, all between two dates (both included), or a time as seen from now. */
export type AskedTime =
  | { readonly kind: 'date'; readonly date: NamedDate }
  | { readonly kind: 'between'; readonly from: NamedDate; readonly to: NamedDate }
  | { readonly kind: 'relative'; readonly time: RelativeTime }

export interface QuestionTimes {
  readonly dates: readonly NamedDate[]
  /** In the order they are written. */
  readonly asked: readonly AskedTime[]
  /** Where they stand in the text, UTF-16 units. */
  readonly spans: readonly { readonly start: number; readonly end: number }[]
  /** What the question holds beside times and words that any question about a time has; folded, blanks between words. */
  readonly rest: string
}

/** What people say of a time when they want to know all of it: these words look for nothing. */
const ENGLISH_TELLING = new Set(
  (
    'happen happened happening occur occurred go going gone went say said saying tell told talk talked talking discuss ' +
    'discussed discussing discussion discussions mention mentioned chat chatted speak spoke spoken event events thing things ' +
    'anything everything something note notes noted record records recorded remember remembered day date dates time ' +
    'week month year morning afternoon evening night conversation conversations message messages memory memories show list ' +
    'recall find give summary summarise summarize know known work worked learn learned decide decided topic topics ' +
    'subject exactly there new early late mid early'
  ).split(' '),
)
const CHINESE_TELLING = [
  ...'发生 讨论 聊天 聊过 聊到 谈到 谈过 谈话 提到 提过 说到 说过 说起 记录 记得 记下 记住 对话 会话 消息 内容 事情 事件 话题 东西 回忆 总结 列出 告诉 当天 那天 那周 那个月 早上 上午 中午 下午 晚上 凌晨 期间 时候 之间 有关 学到 决定'.split(
    ' ',
  ),
  ...CHINESE_FUNCTION_WORDS,
]
const CHINESE_TELLING_WORDS = new RegExp(CHINESE_TELLING.sort((a, b) => b.length - a.length).join('|'), 'gu')
const CHINESE_TELLING_CHARS =
  /[的了吗呢吧啊呀嘛么啥哪谁我你您咱们都有在是过些事话说聊谈讲提问做干记和与跟给把被从到至对关于里中内间时当第日天]/gu

const RANGE = /^\s*(?:to|until|till|through|-|~|到|至|直到)\s*$/iu
const BOTH = /^\s*(?:and|和|与)\s*$/iu
const BETWEEN = /(?:\bbetween|从|在)\s*$/iu

/** Reads a normalised question whose Han is simplified. */
export function timesOf(text: string): QuestionTimes {
  const dates = datesOf(text).sort((a, b) => a.start - b.start)
  const relative = relativeTimesOf(text, dates)
  const asked: AskedTime[] = relative.map(({ time }) => ({ kind: 'relative', time }))
  for (let i = 0; i < dates.length; i++) {
    const [here, next] = [dates[i], dates[i + 1]]
    if (here === undefined) continue
    const between = next === undefined ? '' : text.slice(here.end, next.start)
    if (next && (RANGE.test(between) || (BOTH.test(between) && BETWEEN.test(text.slice(0, here.start))))) {
      asked.push({ kind: 'between', from: here.date, to: next.date })
      i++
    } else asked.push({ kind: 'date', date: here.date })
  }
  const spans = [...dates, ...relative].map(({ start, end }) => ({ start, end }))
  return { dates: dates.map(found => found.date), asked, spans, rest: spans.length === 0 ? text : restOf(text, spans) }
}

function restOf(text: string, spans: readonly { start: number; end: number }[]): string {
  let left = ''
  let from = 0
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    left += `${text.slice(from, start)} `
    from = Math.max(from, end)
  }
  left += text.slice(from)
  const words: string[] = []
  eachRun(left, run => {
    if (run.kind === 'han') {
      const piece = run.text.replace(CHINESE_TELLING_WORDS, '').replace(CHINESE_TELLING_CHARS, '')
      if (piece !== '') words.push(piece)
      return
    }
    const word = bareWord(run.text)
    if (!ENGLISH_FUNCTION_WORDS.has(word) && !ENGLISH_TELLING.has(word)) words.push(word)
  })
  return words.join(' ')
}
