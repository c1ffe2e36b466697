import { isEventId, isOurs } from '../../events/index.ts'
import { listSessionLogs, readSessionLog } from '../../logs/index.ts'
import type { Report } from './finding.ts'
import type { Folded } from './journal.ts'

/**
 * Reads all stored session logs: whether they can be read, whether events of ours in them are marked and known, and
 * which of them a newer host would refuse to convert.
 */
export async function checkSessions(
  report: Report,
  roots: readonly string[],
  { folded, journaled }: { readonly folded: Folded; readonly journaled: ReadonlySet<string> },
): Promise<void> {
  const damaged: string[] = []
  const unlisted: string[] = []
  const unmarked = new Map<string, number>()
  let [logs, ours, withOurs, unknown] = [0, 0, 0, 0]
  for (const root of roots) {
    for await (const log of listSessionLogs(root, (path, reason) => unlisted.push(`${path}: ${reason}`))) {
      logs += 1
      const before = ours
      for await (const item of readSessionLog(log)) {
        if (item.kind === 'issue') {
          damaged.push(`${log.path}, byte ${item.issue.offset}: ${item.issue.reason}`)
          continue
        }
        if (!isOurs(item.event.type)) continue
        ours += 1
        if (item.unmarked) unmarked.set(log.path, (unmarked.get(log.path) ?? 0) + 1)
        const { id } = (item.event.data ?? {}) as { id?: unknown }
        if (isEventId(id) && !journaled.has(id) && folded?.(id) !== true) unknown += 1
      }
      if (ours > before) withOurs += 1
    }
  }
  report.ok(`${logs} session logs below ${roots.join(', ')}, ${withOurs} of them with ${ours} events of ours`)
  for (const [path, count] of unmarked) {
    report.problem(
      `${count} events of ours in ${path} are not marked: a host without the plugin refuses this session`,
      'Stop the host and run `dsh-hologram detach --apply`: the events stay in the journal.',
    )
  }
  if (unknown > 0) {
    report.note(
      `${unknown} events of session logs are not known to memory yet`,
      'The next start of the harness reads them.',
    )
  }
  for (const place of unlisted) report.problem(`a folder of session logs cannot be read: ${place}`)
  if (damaged.length > 0) {
    const more = damaged.length > 1 ? ` and ${damaged.length - 1} more` : ''
    report.note(`damaged places are passed over: ${damaged[0]}${more}`, 'What the journal holds is taken from there.')
  }
  if (withOurs > 0) {
    report.note(
      `hosts from 0.1.3 on refuse to convert the ${withOurs} session logs that hold events of ours`,
      'Before such an upgrade, run `dsh-hologram detach`, then `detach --apply`.',
    )
  }
}
