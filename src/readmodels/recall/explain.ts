import { leading } from '../../events/index.ts'
import type { Scored } from './rescore.ts'

const MAX_WORDS = 6

const HAN_CHARACTER = /^\p{Script=Han}$/u

function quoted(words: readonly string[]): string {
  const all = [...new Set(words.map(word => word.toLowerCase()))]
  // A single character says nothing more where a pair with it was met.
  const seen = all.filter(word => !HAN_CHARACTER.test(word) || !all.some(one => one !== word && one.includes(word)))
  const shown = seen.slice(0, MAX_WORDS).map(word => `"${leading(word, 40)}"`)
  return shown.join(', ') + (seen.length > MAX_WORDS ? ` and ${seen.length - MAX_WORDS} more` : '')
}

/** Why a block was recalled, in one English line that depends on the question and the block alone. */
export function explain(scored: Scored, symbols: readonly string[]): string {
  const reasons: string[] = []
  if (symbols.length > 0) reasons.push(`holds ${symbols.join(', ')} exactly`)
  if (scored.own.length > 0) reasons.push(`shares ${quoted(scored.own)}`)
  if (scored.around.length > 0) reasons.push(`${quoted(scored.around)} in the lines around it`)
  if (scored.bySpeaker) reasons.push(`said by ${scored.stored.speaker ?? ''}`)
  if (scored.dateFit === 1) reasons.push('said on the day asked about')
  else if (scored.dateFit > 0) reasons.push('said near the date asked about')
  if (scored.when) reasons.push('says when')
  return reasons.length > 0 ? reasons.join('; ') : 'its session is about this'
}
