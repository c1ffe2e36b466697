import { touchesSecret } from './secret.ts'
import type { Sentence } from './sentence.ts'

/** What people say before a statement that is one without it. */
const OPENERS =
  /^(?:(?:by the way|btw|fyi|for the record|for your information|just so you know|heads[- ]up|reminder|correction|update|done|actually|also|and|so|ok|okay|yes|no|right|currently|now|please note(?: that)?|note(?: that)?|remember(?: that)?(?! to\b)|顺便说一下|顺便说|顺便|另外|还有|对了|注意|请注意|记住|请记住|记一下|备注|补充一下|补充|更正|纠正一下|更新|好的|已完成|完成|是的|对|其实|现在|目前|当前)(?:[,:.\s]+|(?<=\p{Script=Han})))+/iu

/** A correction says what holds and then what does not: `…, not 8080`, `…,不是 8080`. */
const CORRECTED =
  /,\s*(?:and\s+)?not\s+[^\s,]+(?:\s+[^\s,]+)?(?=[.!]*$)|,\s*(?:而)?(?:不是|并非)\s*[^,]{1,24}?(?=[。.!]*$)/iu

const QUESTION = /\?(?:\s|["')]|\p{Script=Han}|$)|[吗呢吧么](?=[。.!]*$)/u
const ASKS_ENGLISH =
  /^(?:is|are|was|were|do|does|did|can|could|will|would|should|shall|may|what|what's|which|who|who's|whose|where|when|why|how|has|have|isn't|aren't)\b/i
const ORDERS =
  /^(?:please|set|change|make|ensure|check|verify|confirm|use|run|add|remove|move|rename|migrate|switch|bump|upgrade|downgrade|let|let's|lets|don't|try|keep|put|find|show|tell|give|look|see|say|assume|assuming|imagine|suppose|pretend|consider|think|next|create|delete|write|fix|start|stop|restart|open|point|configure|install|deploy|raise|lower|increase|decrease|imagine)\b/i

/** Conditions, wishes, plans, doubt, hearsay, what was, what is not, what holds for a while. */
const UNCERTAIN_ENGLISH =
  /(?<![\w./@-])(?:if|unless|whether|when|whenever|while|until|till|once|before|after|would|could|should|might|shall|will|won't|going to|gonna|want|wants|wanted|wanna|need|needs|needed|must|have to|has to|plan|plans|planned|planning|intend|intends|consider|considering|propose|proposes|proposed|suggest|suggests|suggested|recommend|recommends|think|thinks|guess|guesses|believe|believes|suppose|supposed|assume|assumes|assuming|hypothetically|imagine|hope|hopes|hopefully|wish|expect|expects|expected|seem|seems|appear|appears|apparently|supposedly|allegedly|perhaps|maybe|probably|possibly|presumably|likely|tentative|tentatively|temporarily|temporary|for now|not|never|neither|nor|none|without|cannot|no longer|had|used to|previously|formerly|originally|earlier|yesterday's|either|or|for example|for instance|example|e\.g|say|says|said|claim|claims|claimed|according to|in (?:my|our|his|her|their) (?:opinion|view)|imo|imho|afaik|as far as|rumou?r|heard|please|make sure|ensure|wrong|unclear|unknown|tbd|todo|almost|nearly|roughly|approximately|sometimes|often|usually|to be|except)(?![\w/@-]|\.\w)|\b\w+n't\b|\b\w+'(?:ll|d)\b|\b(?:I|you|we|they) may\b|\bmay (?:be|have|need|not)\b/i
/** `was` tells of the past, except of a change whose outcome holds. */
const PAST =
  /\b(?:was|were)\b(?!\s+(?:just |recently |already |also )?(?:moved|migrated|renamed|switched|changed|upgraded|downgraded|bumped|updated|raised|lowered|increased|decreased|reduced|set|pinned|extended|transferred)\b)/i

const UNCERTAIN_CHINESE =
  /什么|哪|谁|怎么|怎样|如何|是否|是不是|有没有|多少|几(?=个|点|号|天|次|月)|能否|可否|能不能|会不会|要不|对不对|如果|假如|假设|假定|假若|要是|倘|若(?=是|要|果|能|有)|万一|除非|否则|一旦|只要|的话|可能|也许|大概|或许|或者|或(?=\s*[\w是])|还是|应该|应当|估计|似乎|好像|看起来|据说|听说|听起来|猜|觉得|认为|以为|打算|计划(?=把|在|将|用|迁|换|改|升|于|下)|准备|考虑|建议|希望|但愿|最好|想(?=把|要|让|用|在|换|改|迁|给)|不|没|未|无法|无需|并无|别(?=改|动|用|把|在)|并非|以前|(?<![\d日号月年周\s])之前|^之前|曾经|曾(?=是|为|用|在)|原来|原先|原本|过去|本来|旧的|例如|比如|譬如|举例|请(?!求|注意|记住)|帮(?!助)|麻烦|劳驾|记得|需要|必须|务必|将(?=会|要|把|来|在|于|被|由)|即将|会(?=把|在|被|改|变|用|是|由|迁|升)|要(?=把|改|用|换|迁|搬|升|在|由)|接下来|下一步|暂时|临时|暂定|先(?=用|把|改)|说(?!明|一下)|声称|写着|显示|报错|确认|检查|核实|核对|看一下|看看|左右|大约|大致|差不多|约(?=\s*\d)|当[^,]{1,60}时|(?<!超)时(?:候|[,，])|曾任|才对|算了|是错|看情况/u
const ORDERS_CHINESE = /^(?:把|将|让|设置|修改|改成|改为|使用|运行|添加|删除|执行|试试|试一下|看|查|用|给)/u
/** With these before it, a handed-over object is something that was done. */
const DONE_CHINESE = /了|已/u

/** The part of a sentence that rules may read. */
export interface Statement extends Sentence {
  /** Where it begins behind what opens it. */
  readonly from: number
}

/**
 * The not-list. `undefined` for what is no definite statement: questions, orders, conditions, wishes, plans, doubt,
 * hearsay, denials, what was or holds for a while, examples, and whatever touches a secret.
 */
export function definite(sentence: Sentence): Statement | undefined {
  const from = OPENERS.exec(sentence.shadow)?.[0].length ?? 0
  const shadow = sentence.shadow.replace(CORRECTED, said => ' '.repeat(said.length))
  const body = shadow.slice(from)
  if (QUESTION.test(shadow) || ASKS_ENGLISH.test(body) || ORDERS.test(body)) return undefined
  if (UNCERTAIN_ENGLISH.test(body) || PAST.test(body)) return undefined
  if (UNCERTAIN_CHINESE.test(body) || (ORDERS_CHINESE.test(body) && !DONE_CHINESE.test(body))) return undefined
  if (touchesSecret(sentence.text)) return undefined
  return { ...sentence, shadow, from }
}
