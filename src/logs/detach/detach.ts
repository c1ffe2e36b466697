import { renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { reasonOf } from '../../events/index.ts'
import { JournalWriter } from '../journal-writer.ts'
import { readSessionLog } from '../session-log.ts'
import { assertUnchanged, type FileIdentity, identify } from './file-identity.ts'
import { heldEvents } from './held.ts'
import { assertNoHost, assertQuiet, type HostCheck } from './host-check.ts'
import { assertApart, COPY_SUFFIX, copyPath } from './places.ts'
import { proveCopy } from './prove-copy.ts'
import { Refusal } from './refusal.ts'
import { scratchFile } from './scratch-file.ts'
import { type Secured, secureEvents } from './secure.ts'
import { type SelectedLog, selectLogs } from './select-logs.ts'
import { swapIn } from './swap.ts'
import { syncFolder } from './sync-folder.ts'
import { writeCopy } from './write-copy.ts'

export interface DetachRequest {
  /** Folders of session logs. */
  readonly roots: readonly string[]
  /** The journal folder; it gets what it lacks. */
  readonly journal: string
  /** Only these sessions. Default: all. */
  readonly sessions?: readonly string[] | undefined
  /** A folder for the copies. Default: beside the logs. */
  readonly out?: string | undefined
  /** Swap the copies in, while no host runs. Without it nothing but copies is made. */
  readonly apply?: HostCheck | undefined
  readonly onSession?: ((result: SessionResult) => void) | undefined
}

interface Common {
  readonly session: string
  readonly path: string
}

interface Done extends Common, Secured {
  /** Lines of the log, all proven in the copy. */
  readonly lines: number
}

export type SessionResult =
  | (Common & { readonly status: 'clean' })
  | (Done & { readonly status: 'copied'; readonly copy: string })
  | (Done & { readonly status: 'applied'; readonly backup: string })
  | (Common & { readonly status: 'left'; readonly reason: string })

interface Candidate extends Secured {
  readonly log: SelectedLog
  readonly identity: FileIdentity
}

/**
 * Takes our events out of stored session logs, so that hosts of later formats can migrate them: each becomes a no-op at
 * the same seq and time. First the content of all is in the journal, synced, and the journal is read again; then log by
 * log a copy is written, proven and, if asked for, swapped in. A log that cannot be detached is left as it is. Throws
 * when nothing can be done at all: an unknown session, a journal that cannot be written, a host that runs.
 */
export async function detach(request: DetachRequest): Promise<SessionResult[]> {
  const { roots, journal, sessions = [], out, apply } = request
  if (out !== undefined) assertApart(out, roots)
  if (apply !== undefined) await assertNoHost(apply)
  const results: SessionResult[] = []
  const report = (result: SessionResult) => {
    results.push(result)
    request.onSession?.(result)
  }
  const { candidates, held } = await secureAll(await selectLogs(roots, sessions), journal, report)
  const taken = new Set<string>()
  for (const candidate of candidates) report(await detachOne(candidate, held, request, taken))
  return results
}

async function secureAll(
  logs: readonly SelectedLog[],
  journal: string,
  report: (result: SessionResult) => void,
): Promise<{ candidates: Candidate[]; held: ReadonlySet<string> }> {
  const held = await heldEvents(journal)
  const writer = JournalWriter.inFolder(journal)
  const candidates: Candidate[] = []
  try {
    for (const log of logs) {
      const { session, path } = log
      try {
        const identity = identify(path)
        const secured = await secureEvents(log, writer, held)
        if (secured.events > 0) candidates.push({ ...secured, log, identity })
        else report({ session, path, status: 'clean' })
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        report(
          (await isFree(log))
            ? { session, path, status: 'clean' }
            : { session, path, status: 'left', reason: error.message },
        )
      }
    }
  } finally {
    writer.close()
  }
  const wrote = candidates.some(candidate => candidate.secured > 0)
  return { candidates, held: wrote ? await heldEvents(journal) : held }
}

/** Whether a log that a host would not take as it stands can be seen to hold nothing of ours. */
async function isFree(log: SelectedLog): Promise<boolean> {
  for await (const _ of readSessionLog(log)) return false
  return true
}

async function detachOne(
  { log, identity, events, secured }: Candidate,
  held: ReadonlySet<string>,
  { out, apply }: DetachRequest,
  taken: Set<string>,
): Promise<SessionResult> {
  const { session, path } = log
  let scratch: string | undefined
  try {
    if (apply !== undefined) assertQuiet(Number(identity.stats.mtimeMs), apply)
    const copy = copyPath(path, out)
    if (taken.has(copy)) throw new Refusal(`${copy} is the copy of another session already`)
    taken.add(copy)
    scratch = scratchFile(apply === undefined ? copy : path)
    await writeCopy(log, identity, scratch)
    const { lines } = await proveCopy(log, scratch, held)
    assertUnchanged(identity)
    const done = { session, path, events, secured, lines }
    if (apply === undefined) {
      renameSync(scratch, copy)
      syncFolder(dirname(copy))
      return { ...done, status: 'copied', copy }
    }
    await assertNoHost(apply)
    const backup = swapIn(scratch, identity)
    rmSync(`${path}${COPY_SUFFIX}`, { force: true })
    return { ...done, status: 'applied', backup }
  } catch (error) {
    return { session, path, status: 'left', reason: reasonOf(error) }
  } finally {
    if (scratch !== undefined) rmSync(scratch, { force: true })
  }
}
