/** Means over queries of what `score.mjs` of the evaluation sets defines. */
export interface Scores {
  readonly r1: number
  readonly r5: number
  readonly r10: number
  readonly mrr10: number
}

export interface Answered {
  readonly ranked: readonly string[]
  readonly gold: readonly string[]
  readonly category: string
}

function scoreOne({ ranked, gold }: Answered): Scores {
  const wanted = new Set(gold)
  const at = (k: number): number => ranked.slice(0, k).filter(id => wanted.has(id)).length / wanted.size
  const first = ranked.slice(0, 10).findIndex(id => wanted.has(id))
  return { r1: at(1), r5: at(5), r10: at(10), mrr10: first < 0 ? 0 : 1 / (first + 1) }
}

export function meanScores(answers: readonly Answered[]): Scores {
  const scores = answers.map(scoreOne)
  const mean = (key: keyof Scores): number =>
    scores.reduce((sum, score) => sum + score[key], 0) / Math.max(1, scores.length)
  return { r1: mean('r1'), r5: mean('r5'), r10: mean('r10'), mrr10: mean('mrr10') }
}
