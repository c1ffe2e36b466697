import type { Clause } from './clauses.ts'
import type { Statement } from './definite.ts'
import { aliases, DIMENSIONS, type Dimension, dimensionNamed, dimensionOf, NAMED } from './dimensions.ts'
import { OWNER_CHINESE } from './people.ts'
import { groupSpan, type Reading, unquoted } from './reading.ts'
import { isSubject } from './subject.ts'
import { behind, type Span, valueAt } from './value.ts'

const LEAD = '(?:(?:我们|咱们|公司|目前|现在|当前|如今|其中|所有)的?\\s*)?'
const SUBJECT = `${LEAD}(?<subject>[^,;:。!?]{1,40}?)\\s*`
const DIM = `(?<dim>${aliases('chinese')}|(?<![A-Za-z])(?:${aliases('english')}))`
const NARROW = '(?:的\\s*(?<narrow>[^,;:。!?的是]{1,10}?)?)?\\s*'
const VERB =
  '(?:改|更改|修改|更换|换|调整|调|变更|变|升级|升|降级|降|设置|设定|设|更新|提高|降低|增加|减少|切换|切|迁移|搬迁|迁|搬|移|挪|转移|转|延长|缩短|推迟|提前)'
const FROM = '(?:[从由]\\s*[^,;:。!?]{1,30}?\\s*)?'
/** A change that happened: said to be done (`了`, `已`), or it could be an order. */
const CHANGED = `(?:${FROM}(?:已经|已|刚刚|刚)\\s*${FROM}(?:被\\s*)?${VERB}[成为到至]了?|${FROM}(?:被\\s*)?${VERB}[成为到至]了)`
const IS = `\\s*(?:(?:现在|目前|当前|已经|已|仍然|仍|还|都|统一|固定)\\s*)*(?:是|为|[:=]|${CHANGED})\\s*(?:由\\s*)?`
const WE = '(?:我们|咱们|我|运维|[\\p{Script=Han}]{1,4}(?:组|团队))?\\s*(?:已经|已|刚刚|刚|昨天|今天)?\\s*'

const rule = (source: string) => new RegExp(`^${source}`, 'diu')

const NAMED_RULES = [
  rule(`${WE}把\\s*${SUBJECT}${NARROW}${DIM}\\s*${CHANGED}\\s*`),
  rule(`${SUBJECT}${NARROW}${DIM}${IS}`),
]
const ALONE = rule(
  `${LEAD}(?:项目的?)?(?<subject>${aliases(
    'chinese',
    DIMENSIONS.filter(({ alone }) => alone),
  )})${IS}`,
)

const PLACES = ['email', 'url', 'path', 'address'].map(dimensionNamed)
const fixed = (dimension: string, source: string) => ({ pattern: rule(source), among: [dimensionNamed(dimension)] })
const HELD = '(?:负责|维护|管理|牵头|主管|跟进|管)'

const VERB_RULES: readonly { readonly pattern: RegExp; readonly among: readonly Dimension[] }[] = [
  fixed('port', `${SUBJECT}(?:现在\\s*)?监听(?:在|的是)?\\s*(?:端口\\s*)?(?=\\d+(?:\\s*号?端口)?上?$)`),
  fixed('port', `${SUBJECT}(?:现在\\s*)?(?:运行|跑|部署|开|启动)在\\s*(?:端口\\s*)?(?=\\d+\\s*号?端口)`),
  fixed('owner', `${SUBJECT}(?:现在|目前|统一|都)?\\s*(?:由|归)\\s*(?=[^,;:。!?]{1,24}?\\s*(?:来\\s*)?${HELD}$)`),
  fixed('version', `${WE}把\\s*${SUBJECT}${FROM}(?:升级|升|降级|降|更新)[成为到至]了\\s*`),
  {
    pattern: rule(
      `${SUBJECT}(?:都|现在|统一|目前)?\\s*(?:存放|保存|存储|放|存|位于|在线|部署|托管|运行|跑)(?:在|于)?了?\\s*`,
    ),
    among: PLACES,
  },
]
const OWNS = rule(
  `(?<owner>${OWNER_CHINESE})\\s*(?:现在|目前)?(?:负责|主管|牵头|维护)\\s*(?<subject>[^,;:。!?]{2,24})$`,
)

const RELATIONS = [
  `${WE}把\\s*${SUBJECT}${FROM}${VERB}(?:名)?[成为到至]了\\s*`,
  `${SUBJECT}(?:已经|已|刚刚|刚)\\s*${FROM}(?:被\\s*)?(?:${VERB}名?|重命名|更名)[成为到至]了?\\s*`,
  `${SUBJECT}${FROM}(?:${VERB}名?|重命名|更名)[成为到至]了\\s*`,
  `${SUBJECT}(?:都|现在|统一|目前)?\\s*(?:部署|托管|运行|跑)(?:在|于|到了)\\s*`,
  `${SUBJECT}(?:都|现在|统一|目前)?\\s*是?\\s*(?:使用|采用|用|基于)(?:的是|了)?\\s*`,
  `${SUBJECT}(?:的名字|的代号)?(?:叫做|叫|代号是|名叫)\\s*`,
].map(rule)

const CLOSED =
  /^\s*(?:号?端口)?\s*(?:的?(?:上|里|下|中|内|里面|下面))?\s*(?:来\s*)?(?:负责|维护|管理|牵头|主管|跟进|管|写|开发|实现|编写|构建|部署|管理|搭建)?\s*的?\s*了?\s*$/u

function subjectOf(statement: Statement, found: Span | undefined): Span | undefined {
  if (!found) return undefined
  const span = unquoted(statement.shadow, found)
  return isSubject(statement.text.slice(span.start, span.end)) ? span : undefined
}

function take(
  statement: Statement,
  clause: Clause,
  match: RegExpExecArray,
  dimension: { readonly shape: RegExp; readonly name?: string },
): Reading | undefined {
  const { text, shadow } = statement
  const subject = subjectOf(statement, groupSpan(match, 'subject', clause))
  const value = subject && valueAt(text, shadow, clause.start + match[0].length, clause.end, dimension.shape)
  if (!subject || !value || !CLOSED.test(shadow.slice(behind(shadow, value), clause.end))) return undefined
  return { subject, value, narrowed: false, ...(dimension.name === undefined ? {} : { dim: dimension.name }) }
}

const isTelling = (words: string) => !/^(?:新|当前|目前|现在|实际|正式)$/u.test(words)

function named(statement: Statement, clause: Clause, said: string): Reading | undefined {
  for (const pattern of NAMED_RULES) {
    const match = pattern.exec(said)
    const dimension = match && dimensionOf(match.groups?.dim ?? '')
    if (!dimension) continue
    const narrow = groupSpan(match, 'narrow', clause)
    const words = narrow && statement.text.slice(narrow.start, narrow.end).trim()
    const name = words && isTelling(words) ? `${words} ${dimension.name}` : dimension.name
    const reading = take(statement, clause, match, { shape: dimension.shape, name })
    if (reading) return reading
  }
  return undefined
}

function owned(statement: Statement, clause: Clause, said: string): Reading | undefined {
  const match = OWNS.exec(said)
  const value = match && groupSpan(match, 'owner', clause)
  const subject = match && subjectOf(statement, groupSpan(match, 'subject', clause))
  return value && subject ? { subject, value, dim: 'owner', narrowed: false } : undefined
}

const HAN = /\p{Script=Han}/u

export function readChinese(statement: Statement, clause: Clause): Reading | undefined {
  const said = statement.shadow.slice(clause.start, clause.end)
  if (!HAN.test(said)) return undefined
  const alone = ALONE.exec(said)
  if (alone) {
    const dimension = dimensionOf(alone.groups?.subject ?? '')
    const subject = groupSpan(alone, 'subject', clause)
    const value =
      dimension &&
      valueAt(statement.text, statement.shadow, clause.start + alone[0].length, clause.end, dimension.shape)
    if (subject && value && CLOSED.test(statement.shadow.slice(behind(statement.shadow, value), clause.end))) {
      return { subject, value, narrowed: true, dim: dimension.name }
    }
  }
  const byName = named(statement, clause, said)
  if (byName) return byName
  for (const { pattern, among } of VERB_RULES) {
    const match = pattern.exec(said)
    if (!match) continue
    for (const dimension of among) {
      const reading = take(statement, clause, match, dimension)
      if (reading) return reading
    }
  }
  const byOwner = owned(statement, clause, said)
  if (byOwner) return byOwner
  for (const pattern of RELATIONS) {
    const match = pattern.exec(said)
    const reading = match && take(statement, clause, match, { shape: NAMED })
    if (reading) return reading
  }
  return undefined
}
