import type { Side } from '../provider.ts'

interface Waiting {
  readonly side: Side
  admit(leave: () => void): void
}

/**
 * Bounds how much runs at once. Questions are waited for by somebody: they go first, and where there is more than one
 * place, documents never take the last.
 */
export class Gate {
  readonly #places: number
  readonly #waiting: Waiting[] = []
  #inside = 0
  #documents = 0

  constructor(places: number) {
    this.#places = places
  }

  /** Resolves with the way out, which must be called once; with `undefined` when the signal ends the waiting. */
  enter(side: Side, signal: AbortSignal): Promise<(() => void) | undefined> {
    return new Promise(resolve => {
      if (signal.aborted) {
        resolve(undefined)
        return
      }
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        resolve(undefined)
      }
      const waiting: Waiting = {
        side,
        admit: leave => {
          signal.removeEventListener('abort', giveUp)
          resolve(leave)
        },
      }
      signal.addEventListener('abort', giveUp, { once: true })
      this.#waiting.push(waiting)
      this.#admit()
    })
  }

  #admit(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const { side } = next
      this.#waiting.splice(this.#waiting.indexOf(next), 1)
      this.#count(side, 1)
      let left = false
      next.admit(() => {
        if (left) return
        left = true
        this.#count(side, -1)
        this.#admit()
      })
    }
  }

  #next(): Waiting | undefined {
    if (this.#inside >= this.#places) return undefined
    const question = this.#waiting.find(({ side }) => side === 'query')
    if (question !== undefined) return question
    return this.#documents < Math.max(1, this.#places - 1) ? this.#waiting[0] : undefined
  }

  #count(side: Side, by: number): void {
    this.#inside += by
    if (side === 'document') this.#documents += by
  }
}
