import { detach as detachSessions, type SessionResult } from '../logs/detach/index.ts'
import { EXIT, type Options, UsageError } from './options.ts'
import type { Output } from './output.ts'

/** `detach`: takes our events out of stored sessions, so that a newer host can migrate them; they stay in the journal. */
export async function detach(options: Options, output: Output): Promise<number> {
  const { home, path, journal, roots, apply, out } = options
  if (apply && out !== undefined) throw new UsageError('--out is for copies, --apply swaps them in: use one of the two')
  const results = await detachSessions({
    roots,
    journal,
    out,
    sessions: options.words.slice(1),
    apply: apply ? { places: { home, paths: [...roots, journal, path, `${path}-wal`, `${path}-shm`] } } : undefined,
    onSession: result => {
      if (!options.json) for (const line of describe(result)) output.result(line)
    },
  })
  const count = (status: SessionResult['status']) => results.filter(result => result.status === status).length
  const totals = { clean: count('clean'), copied: count('copied'), applied: count('applied'), left: count('left') }
  const secured = results.reduce((sum, result) => sum + ('secured' in result ? result.secured : 0), 0)
  if (options.json) output.result(JSON.stringify({ apply, journal, ...totals, secured, sessions: results }))
  else {
    output.result(
      `${results.length} sessions: ${totals.applied} detached, ${totals.copied} copied, ${totals.clean} without events of ours, ${totals.left} left as they are; ${secured} events were new to the journal`,
    )
    if (totals.copied > 0)
      output.remark('Nothing was changed. Stop the host and run it again with --apply to swap the copies in.')
  }
  return totals.left === 0 ? EXIT.ok : EXIT.differs
}

function describe(result: SessionResult): string[] {
  switch (result.status) {
    case 'clean':
      return []
    case 'left':
      return [`left as it is: ${result.session} (${result.path}): ${result.reason}`]
    case 'copied':
      return [`copied: ${result.session}, ${result.events} of ${result.lines} lines replaced, to ${result.copy}`]
    case 'applied':
      return [
        `detached: ${result.session}, ${result.events} of ${result.lines} lines replaced; as it was: ${result.backup}`,
      ]
  }
}
