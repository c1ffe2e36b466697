import { accessSync, constants, existsSync } from 'node:fs'
import { readEvent } from '../../events/index.ts'
import { listStreams, readStream } from '../../logs/index.ts'
import { shownTime } from '../../readmodels/index.ts'
import type { Report } from './finding.ts'

/** Whether an event is in the database; `undefined` without one. */
export type Folded = ((id: string) => boolean) | undefined

/**
 * Reads all of the journal: whether it can be read and written, and whether the database has what it holds. Returns the
 * ids of its events.
 */
export async function checkJournal(report: Report, folder: string, folded: Folded): Promise<Set<string>> {
  const held = new Set<string>()
  if (!existsSync(folder)) {
    report.note(`there is no journal at ${folder}`, 'The first event makes it.')
    return held
  }
  const damaged: string[] = []
  const unusable: Record<string, number> = {}
  let waiting = 0
  let latest = 0
  for (const { path } of await listStreams(folder)) {
    for await (const item of readStream(path)) {
      if (item.kind === 'issue') {
        damaged.push(`${path}, byte ${item.issue.offset}: ${item.issue.reason}`)
        continue
      }
      const read = readEvent(item.event.type, item.event.data)
      if (read.kind === 'skipped') unusable[read.reason] = (unusable[read.reason] ?? 0) + 1
      if (read.kind !== 'event') continue
      const { id, at } = read.event.data
      if (held.has(id)) continue
      held.add(id)
      if (folded === undefined || folded(id)) latest = Math.max(latest, at.time)
      else waiting += 1
    }
  }
  const since = latest === 0 ? '' : `, the latest of ${shownTime(latest)}`
  if (folded === undefined) report.ok(`${folder} can be read: ${held.size} events${since}`)
  else if (waiting === 0) report.ok(`${folder} can be read, and all its ${held.size} events are folded${since}`)
  else {
    const last = latest === 0 ? 'nothing was folded yet' : `nothing folded since ${shownTime(latest)}`
    report.problem(
      `${waiting} of the ${held.size} events in ${folder} are not in the database: ${last}`,
      'The next start of the harness folds them; `dsh-hologram rebuild` does it now.',
    )
  }
  for (const [reason, count] of Object.entries(unusable)) report.note(`${count} events are of no use: ${reason}`)
  if (damaged.length > 0) {
    const more = damaged.length > 1 ? ` and ${damaged.length - 1} more` : ''
    report.problem(
      `damaged places are passed over: ${damaged[0]}${more}`,
      'What session logs hold is taken from there.',
    )
  }
  try {
    accessSync(folder, constants.W_OK)
  } catch {
    report.problem(`${folder} cannot be written by this user`, 'Nothing can be remembered until it can.')
  }
  return held
}
