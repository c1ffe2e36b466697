import { readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { health } from '../../readmodels/audit/health.ts'
import { DatabaseRefusedError } from '../../readmodels/database/errors.ts'
import { isSound, openReadOnly } from '../../readmodels/database/open.ts'
import { shownTime } from '../../readmodels/index.ts'
import type { Report } from './finding.ts'

export type Database = ReturnType<typeof openReadOnly>

const REBUILD = 'Run `dsh-hologram rebuild`: it fills a new one from session logs and journal.'

/** Opens the database to be looked at, and says what is wrong with it. `undefined` when there is none to be used. */
export function checkDatabase(report: Report, path: string): Database | undefined {
  for (const name of movedAside(path)) report.note(`a damaged database was kept as ${name}`, 'It is not used any more.')
  let db: Database
  try {
    db = openReadOnly(path)
  } catch (error) {
    if (!(error instanceof DatabaseRefusedError)) throw error
    if (error.code === 'missing')
      report.note(`there is no database at ${path}`, 'The next start of the harness makes it.')
    else report.problem(error.message, error.code === 'damaged' ? REBUILD : undefined)
    return undefined
  }
  if (!isSound(db)) {
    report.problem(`${path} is damaged`, REBUILD)
    db.close()
    return undefined
  }
  const { blocks, events, namespaces, leases } = health(db)
  report.ok(`${path} is sound: ${blocks} memories in ${namespaces} namespaces, from ${events} events`)
  for (const { name, holder, until } of leases) {
    const what = `work "${name}" is done by ${holder}`
    if (until > Date.now()) report.ok(`${what}, until ${shownTime(until)} at the latest`)
    else
      report.note(`${what}, who let it lapse at ${shownTime(until)}`, 'Another process takes it over when it is due.')
  }
  return db
}

function movedAside(path: string): string[] {
  try {
    const names = readdirSync(dirname(path))
    return names.filter(name => name.startsWith(`${basename(path)}.corrupt-`) && !/-(wal|shm)$/.test(name))
  } catch {
    return []
  }
}
