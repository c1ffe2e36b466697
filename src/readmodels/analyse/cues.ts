/** Signs in a text of what kind of sentence it is: questions, time words, pointers to what was said before. */

const CHINESE_QUESTION =
  /(?:[吗么呢]|没有|不是|对吧|好吗|行吗|可以吗)$|^(?:谁|什么|哪|怎么|为什么|为何|几|多少|何时|请问|是不是|有没有|能不能)/u
const TAIL_MARKS = /[\s"'”」』)）~～.。!！]+$/u

/** Whether one sentence asks: by its mark, or in Chinese by the particle or question word it ends or begins with. */
export function isQuestion(sentence: string): boolean {
  if (/[?？]["'”」』)）\s]*$/u.test(sentence)) return true
  return CHINESE_QUESTION.test(sentence.replace(TAIL_MARKS, ''))
}

const WHEN_ENGLISH =
  /\b(?:when|what (?:time|day|date|month|year)|which (?:day|date|month|year|week)|how long ago|since when)\b/i
const WHEN_CHINESE =
  /什么时[候间]|啥时候|何时|几时|哪[一]?[天年日月周]|几[月号点]|多久[之以]?前|什么日子|哪个(?:月|星期|周|年)/u

/** Whether a question (simplified and normalised) asks for a time. */
export function asksWhen(text: string): boolean {
  return WHEN_ENGLISH.test(text) || WHEN_CHINESE.test(text)
}

const TIME_ENGLISH =
  /\b(?:yesterday|today|tonight|tomorrow|ago|recently|lately|(?:last|next|this|past|previous) (?:\w+ )?(?:night|week|weekend|month|year|summer|winter|spring|fall|autumn|mon|tues|wednes|thurs|fri|satur|sun)(?:day|s)?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|morning|evening|(?:19|20)\d\d|\d{1,2} ?[ap]m)\b/i
const TIME_CHINESE =
  /[昨今明前后]天|[昨今明当]晚|[去今明前后]年|[上下这本]个?(?:周|星期|礼拜|月|季度)|周[一二三四五六日末天]|(?:星期|礼拜)[一二三四五六日天]|\d+ ?[年月日号点]|[一二三四五六七八九十]+[月号日点]|早上|上午|中午|下午|晚上|凌晨|刚才|刚刚|最近|前几天|[天周月年时钟](?:之|以)?前/u

/** Whether a turn says when: a day, a date, a time of day. Expects simplified Han. */
export function saysWhen(text: string): boolean {
  return TIME_ENGLISH.test(text) || TIME_CHINESE.test(text)
}

// Not inside a compound: `NOT-THIS-TOKEN-7731` points at nothing.
const POINTER_ENGLISH =
  /(?<![\w-])(?:it|that|those|this|these|earlier|before|previous(?:ly)?|last time|again|the (?:same|other) (?:one|thing))(?![\w-])/i
const POINTER_CHINESE = /[那这][个些次件边里份条种位]?|之前|上次|上回|刚才|刚刚|先前|以前|前面|上面|它|那时/u

/** Whether a question points back at something it does not name (那个, 上次, it, earlier): such a one is never refused. */
export function pointsBack(text: string): boolean {
  return POINTER_ENGLISH.test(text) || POINTER_CHINESE.test(text)
}
