/** Made-up blocks and questions with word frequencies like a language's (Zipf), the same for the same seed. */

export type Language = 'en' | 'zh'

/** Mulberry32: a small seeded generator of numbers in [0, 1). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const SYLLABLES =
  'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu zan ber col dun fel gor hil jam kes lin'.split(' ')
const GRAMMAR = 'the of and to in is for on with that at from by was as it are this be have'.split(' ')
const HAN_FROM = 0x4e00
const HAN_COUNT = 3_000
const VOCABULARY = 30_000

function englishWord(rank: number): string {
  let word = ''
  for (let n = rank + 37; n > 0; n = Math.floor(n / SYLLABLES.length)) word += SYLLABLES[n % SYLLABLES.length] ?? ''
  return word
}

/** Two Han characters; which ones follows the rank, so that frequent words share frequent characters. */
function chineseWord(rank: number): string {
  const char = (n: number): string => String.fromCodePoint(HAN_FROM + 2 + (n % HAN_COUNT) * 6)
  return char(Math.floor(Math.sqrt(rank) * 7)) + char(rank * 31 + 5)
}

export interface Corpus {
  readonly texts: readonly string[]
  /** Each asks for one text by words of it. */
  readonly questions: readonly { readonly text: string; readonly target: number }[]
}

export function makeCorpus(language: Language, blocks: number, questions: number, seed = 7): Corpus {
  const random = seeded(seed)
  // Zipf with exponent 1 by inverse of the (continuous) distribution.
  const rank = (): number => Math.floor(VOCABULARY ** random()) - 1
  const word = language === 'en' ? englishWord : chineseWord
  const words: string[][] = []
  const texts = Array.from({ length: blocks }, () => {
    const length = 6 + Math.floor(random() * 24)
    const matter = Array.from({ length }, () => word(rank()))
    words.push(matter)
    if (language === 'zh') return `${matter.join('')}。`
    return `${matter.map((one, i) => (i % 3 === 2 ? `${GRAMMAR[Math.floor(random() * GRAMMAR.length)]} ${one}` : one)).join(' ')}.`
  })
  const asked = Array.from({ length: questions }, () => {
    const target = Math.floor(random() * blocks)
    const from = words[target] ?? []
    const count = 3 + Math.floor(random() * 4)
    const picked = Array.from({ length: count }, () => from[Math.floor(random() * from.length)] ?? '')
    const noise = word(rank())
    return {
      text: language === 'en' ? `what is the ${picked.join(' ')} ${noise}?` : `${picked.join('，')}，${noise}？`,
      target,
    }
  })
  return { texts, questions: asked }
}
