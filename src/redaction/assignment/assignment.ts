import type { Rule, Span } from '../rule.ts'
import { secretIn } from './found.ts'
import type { Join } from './join.ts'
import { KEY_KINDS } from './key.ts'
import { mentionsIn } from './mention.ts'
import { byElement, byFlag, bySign } from './sign.ts'
import { byLogin, byNaming, bySaying, bySide, byUse } from './spoken.ts'
import { byChinese, byChineseSide, byChineseUse } from './spoken-chinese.ts'
import { Values } from './value.ts'

const JOINS: readonly Join[] = [
  bySign,
  byElement,
  byFlag,
  bySaying,
  bySide,
  byLogin,
  byUse,
  byNaming,
  byChinese,
  byChineseSide,
  byChineseUse,
]

/** Values that a text gives to the name of a secret, in whatever way it does. */
export const assignmentRule: Rule = {
  kinds: KEY_KINDS,
  *find(text): Generator<Span> {
    const mentions = mentionsIn(text)
    if (mentions.length === 0) return
    const values = new Values(text)
    for (const mention of mentions) {
      for (const join of JOINS) {
        const candidate = join(text, mention, values)
        const span = candidate === undefined ? undefined : secretIn(text, values, mention.key, candidate)
        if (span !== undefined) yield span
      }
    }
  },
}
