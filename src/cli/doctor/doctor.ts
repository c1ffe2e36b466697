import { reasonOf } from '../../events/index.ts'
import { foldedEvents } from '../../readmodels/audit/health.ts'
import { EXIT, type Options } from '../options.ts'
import type { Output } from '../output.ts'
import { checkCarrier } from './carrier.ts'
import { checkDatabase } from './database.ts'
import { type Finding, reporter } from './finding.ts'
import { checkJournal } from './journal.ts'
import { checkNode } from './node.ts'
import { checkProfiles } from './profiles.ts'
import { checkSessions } from './sessions.ts'

const MARKS = { ok: 'ok     ', note: 'note   ', problem: 'PROBLEM' } as const

/** `doctor`: looks at everything that memory needs, and changes nothing. A problem is something to be done. */
export async function doctor(options: Options, output: Output): Promise<number> {
  const { home, path, journal, roots, json } = options
  const findings: Finding[] = []
  const check = async (name: string, run: (report: ReturnType<typeof reporter>) => unknown) => {
    const report = reporter(name, findings)
    const from = findings.length
    try {
      await run(report)
    } catch (error) {
      report.problem(`it could not be looked at: ${reasonOf(error)}`)
    }
    if (!json) for (const finding of findings.slice(from)) show(finding, output)
  }
  await check('node', checkNode)
  await check('profiles', report => checkProfiles(report, home))
  await check('carrier', report => checkCarrier(report))
  let db: ReturnType<typeof checkDatabase>
  try {
    await check('database', report => {
      db = checkDatabase(report, path)
    })
    const folded = db && foldedEvents(db)
    let journaled: ReadonlySet<string> = new Set()
    await check('journal', async report => {
      journaled = await checkJournal(report, journal, folded)
    })
    await check('sessions', report => checkSessions(report, roots, { folded, journaled }))
  } finally {
    db?.close()
  }
  const problems = findings.filter(({ level }) => level === 'problem').length
  if (json) output.result(JSON.stringify({ ok: problems === 0, findings }))
  else output.result(problems === 0 ? 'no problems' : `${problems} ${problems === 1 ? 'problem' : 'problems'}`)
  return problems === 0 ? EXIT.ok : EXIT.differs
}

function show({ check, level, text, remedy }: Finding, output: Output): void {
  output.result(`${MARKS[level]} ${check}: ${text}`)
  if (remedy !== undefined) output.result(`        ${remedy}`)
}
