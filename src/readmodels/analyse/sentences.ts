/** A text cut into sentences, for what the last ones ask and what share of a turn is questions. */

const MAX_SENTENCES = 2_000
const SENTENCE = /[^.!?。！？…\n]+(?:[.!?。！？…]+|\n|$)/gu
const CONTENT = /[\p{L}\p{N}]/u

/** Sentences of a normalised text, trimmed, in order; pieces without a letter or digit are no sentence. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  // NFKC has made ！ and ？ into ASCII; a stop inside a number or name (3.5, a.b) does not end a sentence.
  for (const match of text.replace(/\.(?=[\p{L}\p{N}])/gu, '\u2024').matchAll(SENTENCE)) {
    const sentence = match[0].replaceAll('\u2024', '.').trim()
    if (CONTENT.test(sentence)) sentences.push(sentence)
    if (sentences.length >= MAX_SENTENCES) break
  }
  return sentences
}
