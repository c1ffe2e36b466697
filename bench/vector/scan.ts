import type { Engine } from './engine.ts'
import { DIMENSION, vectorAt } from './vectors.ts'

/**
 * Every vector in one Float32Array, every one compared. Exact: the others are judged by it. Where the mean of all vectors is
 * to be subtracted from both sides, as ours does in a cone, it is asked to do that too.
 */
export class FloatScan implements Engine {
  readonly name = 'Float32 scan'
  private stored = new Float32Array(0)
  private count = 0

  private readonly centred: boolean
  private readonly mean = new Float64Array(DIMENSION)

  constructor(centred: boolean) {
    this.centred = centred
  }

  build(stored: Float32Array, count: number): void {
    this.stored = stored.slice(0, count * DIMENSION)
    this.count = count
    if (!this.centred) return
    for (let at = 0; at < this.stored.length; at++) {
      const i = at % DIMENSION
      this.mean[i] = (this.mean[i] ?? 0) + (this.stored[at] ?? 0) / count
    }
    for (let number = 0; number < count; number++) {
      const vector = vectorAt(this.stored, number)
      vector.forEach((value, i) => {
        vector[i] = value - (this.mean[i] ?? 0)
      })
      const length = Math.hypot(...vector)
      vector.forEach((value, i) => {
        vector[i] = value / length
      })
    }
  }

  nearest(asked: Float32Array, k: number): number[] {
    const { stored } = this
    const question = asked.map((value, i) => value - (this.mean[i] ?? 0))
    const best: { number: number; cosine: number }[] = []
    let least = Number.NEGATIVE_INFINITY
    for (let number = 0, at = 0; number < this.count; number++) {
      let [s, t, u, v] = [0, 0, 0, 0]
      for (let i = 0; i < DIMENSION; i += 4, at += 4) {
        s += (question[i] ?? 0) * (stored[at] ?? 0)
        t += (question[i + 1] ?? 0) * (stored[at + 1] ?? 0)
        u += (question[i + 2] ?? 0) * (stored[at + 2] ?? 0)
        v += (question[i + 3] ?? 0) * (stored[at + 3] ?? 0)
      }
      const cosine = s + t + u + v
      if (cosine <= least) continue
      const place = best.findIndex(one => one.cosine < cosine)
      best.splice(place < 0 ? best.length : place, 0, { number, cosine })
      if (best.length > k) best.pop()
      if (best.length === k) least = best.at(-1)?.cosine ?? 0
    }
    return best.map(({ number }) => number)
  }

  insert(): void {}

  size() {
    return { held: this.count * DIMENSION * 4 }
  }

  close(): void {}
}
