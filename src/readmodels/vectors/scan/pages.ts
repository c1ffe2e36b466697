import { scanModule } from './module.ts'
import { MOST_IN_PAGE, PAGE, scanPage } from './page.ts'

/** Pages kept for the tables of a question, for the sums, and for codes that are not held. */
const [TABLES, SUMS, PASSING] = [0, 1, 2]
const RESERVED = 3

type Scan = (codes: number, tables: number, fours: number, blocks: number, sums: number) => void

let compiled: WebAssembly.Module | undefined

/**
 * The pages that codes are held in: one memory, grown as needed up to a bound, its pages used again and again. Where
 * there is no WebAssembly with SIMD, the same is done in plain JavaScript, slower.
 */
export class Pages {
  /** Pages of codes at most. */
  readonly most: number
  private readonly memory: WebAssembly.Memory | undefined
  private readonly scanFast: Scan | undefined
  private bytes: Uint8Array<ArrayBuffer>
  private sums: Uint16Array
  private pages = RESERVED
  private readonly free: number[] = []
  private entries: Uint8Array = new Uint8Array(0)

  /** @param bound bytes of codes at most */
  constructor(bound: number, fast = true) {
    this.most = Math.floor(bound / PAGE)
    if (fast) {
      try {
        compiled ??= new WebAssembly.Module(scanModule())
        this.memory = new WebAssembly.Memory({ initial: RESERVED, maximum: RESERVED + this.most })
        const { exports } = new WebAssembly.Instance(compiled, { env: { memory: this.memory } })
        this.scanFast = exports.scan as Scan
      } catch {
        this.memory = undefined
        this.scanFast = undefined
      }
    }
    this.bytes = new Uint8Array(this.memory?.buffer ?? new ArrayBuffer(RESERVED * PAGE))
    this.sums = this.sumsNow()
  }

  /** Whether the scan is the fast one. */
  get fast(): boolean {
    return this.scanFast !== undefined
  }

  /** Pages in use, beside those that are always there. */
  get held(): number {
    return this.pages - RESERVED - this.free.length
  }

  /** The page for codes that pass through. */
  get passing(): number {
    return PASSING
  }

  /** A page that is nobody's, filled with zeros; undefined when the bound is reached. */
  take(): number | undefined {
    const again = this.free.pop()
    if (again !== undefined) {
      this.at(again).fill(0)
      return again
    }
    if (this.pages >= RESERVED + this.most) return undefined
    if ((this.pages + 1) * PAGE > this.bytes.length && !this.grow()) return undefined
    this.pages += 1
    return this.pages - 1
  }

  give(page: number): void {
    this.free.push(page)
  }

  /** The bytes of a page; true until another one is taken. */
  at(page: number): Uint8Array {
    return this.bytes.subarray(page * PAGE, (page + 1) * PAGE)
  }

  /** Sets the tables of the scans that follow. */
  ask(entries: Uint8Array): void {
    this.entries = entries
    this.at(TABLES).set(entries)
  }

  /** The sums of the first `blocks` blocks of a page; true until the next scan. */
  scan(page: number, blocks: number): Uint16Array {
    if (this.scanFast === undefined) scanPage(this.at(page), this.entries, blocks, this.sums)
    else this.scanFast(page * PAGE, TABLES * PAGE, this.entries.length / 64, blocks, SUMS * PAGE)
    return this.sums
  }

  /** Grows by a quarter, so that what is copied stays in proportion. */
  private grow(): boolean {
    const now = this.bytes.length / PAGE
    const more = Math.min(RESERVED + this.most, now + Math.max(16, now >> 2)) - now
    try {
      if (this.memory === undefined) {
        const bytes = new Uint8Array((now + more) * PAGE)
        bytes.set(this.bytes)
        this.bytes = bytes
      } else {
        this.memory.grow(more)
        this.bytes = new Uint8Array(this.memory.buffer)
      }
    } catch {
      return false
    }
    this.sums = this.sumsNow()
    return true
  }

  private sumsNow(): Uint16Array {
    return new Uint16Array(this.bytes.buffer, SUMS * PAGE, MOST_IN_PAGE)
  }
}
