/** Nobody loads yet; a thread is loading; it has loaded; nobody is to load any more. */
const [FREE, LOADING, LOADED, SHUT] = [0, 1, 2, 3] as const

/** How long the end of the process waits for a thread that is loading, in milliseconds; it takes a few. */
const LOAD_MS = 5_000

/**
 * Lets a thread load native code only while its process may wait for it. A thread that is stopped in the middle of
 * loading takes the process with it (SIGABRT), and the end of a process stops its threads wherever they are.
 */
export class NativeGate {
  /** What both threads share. */
  readonly state: SharedArrayBuffer
  private readonly cell: Int32Array

  constructor(state = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.state = state
    this.cell = new Int32Array(state)
  }

  /** In the thread: loads, or returns false where it must not any more. */
  load(native: () => void): boolean {
    if (Atomics.compareExchange(this.cell, 0, FREE, LOADING) === SHUT) return false
    try {
      native()
    } finally {
      Atomics.store(this.cell, 0, LOADED)
      Atomics.notify(this.cell, 0)
    }
    return true
  }

  /** Whether the thread may be stopped now: it is not loading, and will not begin to. */
  shut(): boolean {
    return Atomics.compareExchange(this.cell, 0, FREE, SHUT) !== LOADING
  }

  /** The same, and waits for a thread that is loading. It blocks: for the end of the process, where nothing else can. */
  shutNow(): void {
    if (!this.shut()) Atomics.wait(this.cell, 0, LOADING, LOAD_MS)
  }
}

const open = new Set<NativeGate>()

/** Shuts a gate when the process ends; returns what takes it off again. */
export function shutAtExit(gate: NativeGate): () => void {
  if (open.size === 0) process.on('exit', shutAll)
  open.add(gate)
  return () => {
    open.delete(gate)
    if (open.size === 0) process.off('exit', shutAll)
  }
}

function shutAll(): void {
  for (const gate of open) gate.shutNow()
}
