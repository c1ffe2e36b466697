import { type Distilled, MAX_DISTILLED, type Passage } from './distilled.ts'
import { gateOver, statementIndex } from './gate.ts'
import { statementsOf } from './passages.ts'
import { readStatement, type Said } from './read.ts'

/** Said of a change: it replaces what was said before it, whoever said that. */
const CHANGE =
  /\b(?:now|moved|migrated|switched|changed|upgraded|downgraded|bumped|updated|raised|lowered|increased|decreased|reduced|renamed|extended)\b|现在|[改换调变升降设新切迁搬移]\S{0,2}[成为到至]/iu

const keyOf = ({ subject, dim, text }: Said) => (dim === undefined ? text : `${subject.toLowerCase()}|${dim}`)

/** Of two values for one thing in one turn, whether the later heard replaces the earlier heard. */
function replaces(later: Said, earlier: Said, passages: readonly Passage[]): boolean {
  if (passages[later.passage]?.role === passages[earlier.passage]?.role) return true
  return later.passage > earlier.passage && CHANGE.test(later.sentence)
}

/**
 * The statements of a turn that hold beyond it, at most {@link MAX_DISTILLED}: what users said first, each in the order
 * it was said. Where one thing has two values, the later one counts; a user's word is replaced by the assistant's only
 * if that tells of a change after it. What the assistant says counts only with a known dimension.
 *
 * Pure, linear in the text, never throws. Give it redacted texts: it leaves out what speaks of secrets, and finds no
 * secrets of its own.
 */
export function distilTurn(passages: readonly Passage[]): Distilled[] {
  const kept = new Map<string, Said>()
  for (const statement of statementsOf(passages)) {
    for (const said of readStatement(statement)) {
      if (passages[said.passage]?.role === 'assistant' && said.about === undefined) continue
      const key = keyOf(said)
      const before = kept.get(key)
      if (!before || replaces(said, before, passages)) kept.set(key, said)
    }
  }
  const found = [...kept.values()].map(({ about: _, ...distilled }) => distilled)
  if (found.length === 0) return []
  // What the rules read passes the same gate as what a model proposes: what one of them doubts is not kept.
  const index = statementIndex(passages)
  const passes = ({ subject, value, sentence }: Distilled): boolean => {
    const gated = gateOver(index, { subject, value, sentence })
    return gated?.subject === subject && gated.value === value
  }
  return found.filter(passes).slice(0, MAX_DISTILLED)
}
