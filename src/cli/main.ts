#!/usr/bin/env node
import { reasonOf } from '../events/index.ts'
import { COMMANDS } from './commands.ts'
import { EXIT, readOptions, UsageError } from './options.ts'
import { consoleOutput } from './output.ts'

const HELP = `dsh-hologram: the memory of DeepSeek Harness, from the command line

${Object.values(COMMANDS)
  .flatMap(({ usage }) => usage)
  .map(([call, what]) => `  dsh-hologram ${call}\n      ${what}`)
  .join('\n')}

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
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) throw new UsageError(`there is no command ${name}; see dsh-hologram --help`)
  if (rest.length > 0 && command.words !== true) throw new UsageError(`${name} takes no ${rest.join(' ')}`)
  const foreign = options.given.find(option => !command.takes.includes(option))
  if (foreign !== undefined) throw new UsageError(`${name} takes no --${foreign}`)
  return await command.run(options, consoleOutput)
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const message = reasonOf(error)
  consoleOutput.remark(`dsh-hologram: ${message}`)
  process.exitCode = EXIT.usage
}
