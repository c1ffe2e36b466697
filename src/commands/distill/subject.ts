import { MAX_SUBJECT } from './distilled.ts'

/** Pronouns, and words that show that something else than a thing's name was caught. */
const FUNCTION_WORDS = new Set(
  "a an the this that these those it its it's i you he she we they me him her us them my your his our their who which what whose where there here one ones everyone everybody someone somebody anyone anybody everything something anything nothing nobody both all each every any some such is are was were be been being am do does did have has had of to in on at by with from into onto for as than then and or but also just only too very really that's there's sure new-ish whatever thing things stuff".split(
    ' ',
  ),
)
/** These narrow a dimension; alone they name nothing ("the new port", "the file path"). */
const NARROWING = new Set(
  'new old current default same correct right actual final full total max maximum min minimum other next latest last first second main only real exact whole local remote public private internal external file output input source target destination email phone base working root home rate time request response connection read write page batch pool chunk free open invalid unknown bad missing unexpected incorrect required optional supported recommended expected best good high low hard soft upper lower ip git service server app project test database host user line key image font buffer window'.split(
    ' ',
  ),
)
/** What a turn is busy with; it is fixed, moved or gone soon after. */
const PASSING = new Set(
  'bug bugs fix issue issues problem problems error errors failure crash exception function method class variable array list loop line lines change changes patch code snippet idea question answer result results log logs test tests file files value values build prices'.split(
    ' ',
  ),
)
const TROUBLE = /\b(?:bug|issue|problem|error|failure|crash|exception)s?$/i
const FIRST_WORD = /[\p{L}\p{N}]/u
const BLANKS = /\s+/u

function isEnglishSubject(text: string): boolean {
  if (text.length > MAX_SUBJECT || !FIRST_WORD.test(text)) return false
  const words = text.toLowerCase().split(BLANKS)
  if (words.some(word => FUNCTION_WORDS.has(word) || word.endsWith(':')) || TROUBLE.test(text)) return false
  return !words.every(word => NARROWING.has(word)) && !(words.length === 1 && PASSING.has(words[0] ?? ''))
}

/** What may stand between a thing and its dimension: "staging port", "request timeout". */
export function isNarrowing(text: string): boolean {
  return (
    /^[\p{L}\p{N}][\p{L}\p{N} _-]*$/u.test(text) &&
    !text
      .toLowerCase()
      .split(BLANKS)
      .some(word => FUNCTION_WORDS.has(word))
  )
}

const CHINESE_FUNCTION =
  /它|[这那]|他|她|[我你您咱]|自己|谁|哪|什么|大家|任何|所有人|每个人|对方|某|是|把|被|说|了|吗|呢|吧|但|如果|若|因为|所以|可见|由|归|从|就|都|也|(?<!许)可(?![观用视信])|在(?!线)|开始|全面|通过|进行|用于|只|仅|所谓|凡|(?<!阿)里(?!程)|后(?![端台勤缀续])|完成|[旧新老原]$/u
const CHINESE_NARROWING =
  /^(?:的|新|旧|默认|当前|现有|现在|目前|最新|最大|最小|最终|总|正确|实际|文件|输出|输入|目标|源|根|工作|请求|响应|连接|端口|版本|服务|项目|测试|数据库|用户|电子|本地|远程|上述|以上|以下|同一个?|另一个?|一个|第一个?|完整|该|此|其|本|整个|函数|方法|变量|错误|问题|报错|测试|代码|日志|结果|数组|循环|改动|补丁|会议|话题|\s)+$/u
const CHINESE_SIGNS = /[,;:。!?、()（）[\]]|^[或并再而以及和与]/u

function isChineseSubject(text: string): boolean {
  return (
    text.length >= 2 &&
    text.length <= 40 &&
    FIRST_WORD.test(text) &&
    !CHINESE_FUNCTION.test(text) &&
    !CHINESE_SIGNS.test(text) &&
    !CHINESE_NARROWING.test(text)
  )
}

const HAN = /\p{Script=Han}/u

/** Whether a text can name what a statement is about: no pronoun, no bare qualifier, nothing a turn is only busy with. */
export function isSubject(text: string): boolean {
  return HAN.test(text) ? isChineseSubject(text) : isEnglishSubject(text)
}
