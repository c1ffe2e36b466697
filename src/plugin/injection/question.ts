import { headlinesIn, namesIn } from './names.ts'
import { setApart } from './pasted.ts'
import { shorten } from './words.ts'

/** What is looked for on account of a message. */
export interface Question {
  /** The sentences that matter of what the human wrote; the whole of a message of ordinary length. */
  readonly words: string
  /** Names and failures out of what was pasted and of what was left out; empty when there is none. */
  readonly names: string
}

/** Words longer than this are reduced to the sentences that matter, in characters. */
const LONG = 1_200
const LONGEST_SENTENCE = 400

const ASKS =
  /[?？]|^\W*(?:what|which|where|when|who|whose|why|how|is|are|was|were|do|does|did|can|could|should|shall|will|would|has|have|tell|remind|recall|remember|look up|find|show|please)\b|什么|哪|多少|几[个时点号]|谁|怎|吗|呢|是否|有没有|是不是|能不能|为何|何时|告诉|提醒|记得|帮我|查一下|请/iu

const sentences = new Intl.Segmenter('und', { granularity: 'sentence' })

/** Whether a text wants to know something, rather than tells or orders. */
export function asks(text: string): boolean {
  return sentencesOf(text).some(sentence => ASKS.test(sentence))
}

/** Reduces a message to what is to be looked for. Its own words come whole, or as the sentences that matter. */
export function questionOf(text: string): Question {
  const { prose, pasted } = setApart(text)
  const { words, rest } = prose.length <= LONG ? { words: prose, rest: [] } : matter(prose)
  return { words, names: namesAsked([...pasted, ...rest]) }
}

/** Names and failures in lines of code or output, as something to look for. */
export function namesAsked(lines: readonly string[]): string {
  return [namesIn(lines).join(' '), ...headlinesIn(lines)].filter(line => line !== '').join('\n')
}

/** Of a long text: what asks, the last ones first; how it ends and how it begins; as far as there is room. */
function matter(prose: string): { words: string; rest: string[] } {
  const all = sentencesOf(prose)
  const places = all.map((_, at) => at)
  const asking = places.filter(at => ASKS.test(all[at] ?? '')).reverse()
  const ends = [all.length - 1, all.length - 2, 0, 1]
  const chosen = new Set<number>()
  let room = LONG
  for (const at of [...ends.slice(0, 1), ...asking, ...ends.slice(1)]) {
    const sentence = all[at]
    if (sentence === undefined || chosen.has(at)) continue
    room -= Math.min(sentence.length, LONGEST_SENTENCE)
    if (room < 0) break
    chosen.add(at)
  }
  const words = places.filter(at => chosen.has(at)).map(at => shorten(all[at] ?? '', LONGEST_SENTENCE))
  return { words: words.join('\n'), rest: all.filter((_, at) => !chosen.has(at)) }
}

function sentencesOf(text: string): string[] {
  return Array.from(sentences.segment(text), ({ segment }) => segment.trim()).filter(sentence => sentence !== '')
}
