import type { Said } from '../../events/index.ts'
import type { LogListener } from '../../logs/index.ts'
import type { Cited } from '../cold/parts.ts'

/** Characters that are kept while a log is read; of more, the oldest are let go and read once more afterwards. */
const MOST_CHARS = 32_000_000
/** Characters after which documents are filled without waiting for a whole batch of events. */
const LARGE_CHARS = 1_000_000

/** What a log said up to where it is being read, as far as a document still to be archived may cite it. */
export class SaidSoFar implements LogListener {
  /** Id of the session whose log it is; empty until its first line was read. */
  session = ''
  /** Documents that were given their text in this pass, by namespace number and id. */
  readonly satisfied = new Set<string>()
  private records: Said[] = []
  /** Records that were let go of; places count from the beginning of the log. */
  private gone = 0
  /** Where records stand, by kind and id. */
  private readonly places = new Map<string, number[]>()
  private chars = 0

  get isLarge(): boolean {
    return this.chars > LARGE_CHARS
  }

  onSession(id: string): void {
    this.session = id
  }

  onSaid(record: Said): void {
    const key = keyOf(record)
    const place = this.gone + this.records.length
    const places = this.places.get(key)
    if (places === undefined) this.places.set(key, [place])
    else places.push(place)
    this.records.push(record)
    this.chars += record.text.length
    if (this.chars > MOST_CHARS) this.letGo(Math.ceil(this.records.length / 2))
  }

  /** What it cites, in log order. */
  of({ messages, calls }: Cited): Said[] {
    const ids = [...messages].map(id => ({ kind: 'message', id }))
    for (const id of calls) ids.push({ kind: 'call', id }, { kind: 'result', id })
    return ids
      .flatMap(one => this.places.get(keyOf(one)) ?? [])
      .sort((a, b) => a - b)
      .flatMap(place => this.records[place - this.gone] ?? [])
  }

  /** Lets go of what came before a message: a turn that goes on is cited from its first message again. */
  forgetBefore(message: string | undefined): void {
    const [place] = message === undefined ? [] : (this.places.get(keyOf({ kind: 'message', id: message })) ?? [])
    if (place !== undefined) this.letGo(place - this.gone)
  }

  private letGo(count: number): void {
    for (const record of this.records.splice(0, count)) {
      const key = keyOf(record)
      const places = this.places.get(key)
      places?.shift()
      if (places?.length === 0) this.places.delete(key)
      this.chars -= record.text.length
    }
    this.gone += count
  }
}

function keyOf({ kind, id }: Pick<Said, 'id'> & { readonly kind: string }): string {
  return `${kind} ${id}`
}
