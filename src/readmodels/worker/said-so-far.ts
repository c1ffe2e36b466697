import type { Said } from '../../events/index.ts'
import type { LogListener } from '../../logs/index.ts'
import { type Cited, isCited } from '../cold/parts.ts'

/** Characters that are kept while a log is read; of more, the oldest are let go and read once more afterwards. */
const MOST_CHARS = 32_000_000
/** Characters after which documents are filled without waiting for a whole batch of events. */
const LARGE_CHARS = 4_000_000

/** What a log said up to where it is being read, as far as a document still to be archived may cite it. */
export class SaidSoFar implements LogListener {
  /** Id of the session whose log it is; empty until its first line was read. */
  session = ''
  /** Documents that were given their text in this pass, by namespace number and id. */
  readonly satisfied = new Set<string>()
  private records: Said[] = []
  private chars = 0

  get isLarge(): boolean {
    return this.chars > LARGE_CHARS
  }

  onSession(id: string): void {
    this.session = id
  }

  onSaid(record: Said): void {
    this.records.push(record)
    this.chars += record.text.length
    if (this.chars <= MOST_CHARS) return
    this.keepFrom(Math.ceil(this.records.length / 2))
  }

  of(cited: Cited): Said[] {
    return this.records.filter(record => isCited(record, cited))
  }

  /** Lets go of what came before a message: a turn that goes on is cited from its first message again. */
  forgetBefore(message: string | undefined): void {
    const at = this.records.findIndex(({ kind, id }) => kind === 'message' && id === message)
    if (at > 0) this.keepFrom(at)
  }

  private keepFrom(at: number): void {
    this.records = this.records.slice(at)
    this.chars = this.records.reduce((sum, { text }) => sum + text.length, 0)
  }
}
