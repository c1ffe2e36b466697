import { classOf, KEY, type KeyClass } from './key.ts'
import { CHINESE_KEY, classOfChinese } from './key-chinese.ts'

/** A place where a text names a secret: where its value is looked for. */
export interface Mention {
  readonly start: number
  readonly end: number
  /** As it is written. */
  readonly name: string
  readonly key: KeyClass
  readonly chinese: boolean
}

const NAMES = new RegExp(KEY, 'gi')
const CHINESE_NAMES = new RegExp(CHINESE_KEY, 'g')

/** Every mention, in order of each alphabet. The one scan of the text that all forms of assignment share. */
export function mentionsIn(text: string): Mention[] {
  const mentions: Mention[] = []
  for (const match of text.matchAll(NAMES)) mentions.push(mention(match, false))
  if (/[\u5bc6\u53e3\u901a\u79d8\u91d1\u4ee4\u79c1\u51ed\u6191\u6388]/.test(text)) {
    for (const match of text.matchAll(CHINESE_NAMES)) mentions.push(mention(match, true))
  }
  return mentions
}

function mention({ index: start, 0: name }: RegExpExecArray, chinese: boolean): Mention {
  return { start, end: start + name.length, name, key: chinese ? classOfChinese(name) : classOf(name), chinese }
}

/** The end of what a sticky pattern matches at `at`; undefined when it does not. */
export function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/** What stands before a mention, at most `length` of it. */
export function before(text: string, { start }: Mention, length: number): string {
  return text.slice(Math.max(0, start - length), start)
}
