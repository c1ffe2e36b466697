import type { Join } from './join.ts'
import { before, matchEnd } from './mention.ts'

/** What may stand between the name and the verb without making it a statement about something else: a length, a rule. */
const GAP =
  '(?:已经|已經|已|现在|現在|目前|当前|當前|统一|統一|默认|默認|临时|暫時|暂时|初始|一直|应该|應該|仍然|仍|还|還|都|一律|被|我们|我|也|就|将|會|会|重新|重置|修改|更新|变更|變更|设置|設置|设定|設定|改|换|換|设|設|变|變|记|為|为){0,4}'
const VERB =
  '(?:改成了|改为了|改為了|成了|为了|改成|改为|改為|换成|換成|设为|設為|设成|設成|定为|定為|置为|置為|更新为|成|就是|叫做|叫|是|为|為|即|到)'
const NOTE = String.raw`(?:[ \t]?[（(][^（）()\n]{0,30}[)）])?`
const HEAD = String.raw`["'”」』]?[*_]{0,3}${NOTE}[ \t]{0,4}[，,]?[ \t]?${GAP}[ \t]{0,4}`
const TAIL = String.raw`[*_]{0,2}[ \t]{0,4}[：:＝=]?[ \t]{0,4}(?=[!-~＀-～“‘「『《])`
const SAID = new RegExp(`${HEAD}(?:${VERB}|[：:＝=→])${TAIL}`, 'y')
/** A name in Latin letters needs the verb: with a sign alone it is an assignment as in any language. */
const SAID_OF_LATIN = new RegExp(HEAD + VERB + TAIL, 'y')

/** `密码是 …`, `口令：…`, `密钥已改为 …`, `API key 为 …`, with punctuation of either width, with or without blanks. */
export const byChinese: Join = (text, mention, values) => {
  const from = matchEnd(mention.chinese ? SAID : SAID_OF_LATIN, text, mention.end)
  return from === undefined ? undefined : { value: values.at(from), how: 'stated' }
}

const BESIDE = /[ \t]{0,4}(?=["'`“‘「『!-~])(?![:=])/y

/** `账号 root 密码 …`: nothing between but a blank, or not even that. */
export const byChineseSide: Join = (text, mention, values) => {
  if (!mention.chinese || !mention.key.strong) return undefined
  const from = matchEnd(BESIDE, text, mention.end)
  return from === undefined ? undefined : { value: values.at(from), how: 'spoken' }
}

const USED =
  /[用以把将將][ \t]?["'“「『`]?([!#-&(-_a-~]{4,200})["'”」』`]?[ \t]?(?:作为|作為|当作|當作|当|當|做|作|设为|設為|设成)[^\n，。；,;]{0,12}$/

/** `用 … 作为密码`. */
export const byChineseUse: Join = (text, mention) => {
  if (!mention.chinese) return undefined
  const head = before(text, mention, 240)
  const match = USED.exec(head)
  const value = match?.[1]
  if (match === null || value === undefined) return undefined
  const start = mention.start - head.length + match.index + match[0].indexOf(value, 1)
  return { value: { start, end: start + value.length, quoted: false }, how: 'spoken' }
}
