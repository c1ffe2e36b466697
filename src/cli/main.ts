#!/usr/bin/env node
import { EXIT, readOptions, UsageError } from './options.ts'
import { consoleOutput } from './output.ts'
import { rebuild } from './rebuild.ts'
import { verify } from './verify.ts'

const COMMANDS = { rebuild, verify }

const HELP = `dsh-hologram: the memory of DeepSeek Harness, from the command line

  dsh-hologram rebuild [--from logs|journal|both]   fill the database again
  dsh-hologram verify  [--from logs|journal|both]   compare it with a rebuild; changes nothing

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
  if (rest.length > 0) throw new UsageError(`${name} takes no ${rest.join(' ')}`)
  return command(options, consoleOutput)
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  consoleOutput.remark(`dsh-hologram: ${message}`)
  process.exitCode = EXIT.usage
}
