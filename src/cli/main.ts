#!/usr/bin/env node
import { detach } from './detach.ts'
import { exportJournal } from './export.ts'
import { importFile } from './import.ts'
import { EXIT, readOptions, UsageError } from './options.ts'
import { consoleOutput } from './output.ts'
import { rebuild } from './rebuild.ts'
import { verify } from './verify.ts'

const COMMANDS = { rebuild, verify, detach, export: exportJournal, import: importFile }
/** Commands that take words of their own. */
const WORDY: readonly string[] = ['detach', 'export', 'import']

const HELP = `dsh-hologram: the memory of DeepSeek Harness, from the command line

  dsh-hologram rebuild [--from logs|journal|both]   fill the database again
  dsh-hologram verify  [--from logs|journal|both]   compare it with a rebuild; changes nothing
  dsh-hologram detach  [SESSION …] [--apply | --out DIR]
                                                    take our events out of stored sessions, for a host upgrade
  dsh-hologram export  FILE [--namespace ID …] [--from logs|journal|both]
                                                    write all events to one portable file
  dsh-hologram import  FILE [--dry-run]             take in such a file, or the database of the earlier port:
                       OLD.db [--namespace NAME | --project DIR] [--dry-run]

  --home DIR       harness home (default: $DSH_HOME, or ~/.dsh)
  --path FILE      database (default: hologram/memory.db in the home)
  --journal DIR    journal (default: journal beside the database)
  --sessions DIR   folder of session logs (default: sessions in the home); may be given several times
  --json           one JSON line instead of text

Exit codes: 0 it holds, 1 it does not, 2 the call is wrong or its files cannot be used.`

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args)
  const [name, ...rest] = options.words
  if (options.help || name === undefined) {
    consoleOutput.result(HELP)
    return options.help ? EXIT.ok : EXIT.usage
  }
  const command = Object.entries(COMMANDS).find(([known]) => known === name)?.[1]
  if (command === undefined) throw new UsageError(`there is no command ${name}; see dsh-hologram --help`)
  if (rest.length > 0 && !WORDY.includes(name)) throw new UsageError(`${name} takes no ${rest.join(' ')}`)
  // Who asks for a dry run must not get a real one.
  if (options.dryRun && name !== 'import') throw new UsageError(`${name} has no --dry-run`)
  if (options.project !== undefined && name !== 'import') throw new UsageError(`${name} takes no --project`)
  if (options.namespaces.length > 0 && name !== 'import' && name !== 'export') {
    throw new UsageError(`${name} takes no --namespace`)
  }
  return command(options, consoleOutput)
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  consoleOutput.remark(`dsh-hologram: ${message}`)
  process.exitCode = EXIT.usage
}
