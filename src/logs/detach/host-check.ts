import { reasonOf } from '../../events/index.ts'
import { findHosts, type HostFinder, type HostPlaces } from './host-processes.ts'
import { Refusal } from './refusal.ts'

/** A log that was written to this recently may still be written to. Milliseconds. */
export const QUIET_MS = 10_000

export interface HostCheck {
  readonly places: HostPlaces
  /** Default: looks at the processes of this machine. */
  readonly findHosts?: HostFinder | undefined
  /** Default `QUIET_MS`. */
  readonly quietMs?: number | undefined
}

/** Throws a `Refusal` while a host runs, and when it cannot be told whether one does. */
export async function assertNoHost(check: HostCheck): Promise<void> {
  const found = await (check.findHosts ?? findHosts)(check.places).catch((error: unknown) => {
    throw new Refusal(`it cannot be told whether a host runs: ${reasonOf(error)}`)
  })
  if (found.length === 0) return
  const named = found.map(({ pid, why }) => `process ${pid} (${why})`)
  throw new Refusal(`stop the host first: ${named.join(', ')}`)
}

/** Throws a `Refusal` when a log was only just written to, which also tells of hosts that no process list shows. */
export function assertQuiet(modified: number, check: HostCheck): void {
  const age = Date.now() - modified
  const quiet = check.quietMs ?? QUIET_MS
  if (Math.abs(age) >= quiet) return
  throw new Refusal(
    `it was written to ${Math.round(age / 1000)} s ago; stop the host, wait ${quiet / 1000} s, try again`,
  )
}
