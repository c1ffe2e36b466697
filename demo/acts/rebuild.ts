/** Act 3: database and journal are deleted; the command line rebuilds memory from the session logs alone. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { act, must, quote, say, stageOf } from '../stage.ts'
import { FACTS } from '../story.ts'

const CLI = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

await act(async () => {
  const { home } = stageOf()
  const memory = join(home, 'hologram')

  const before = await hologram(home, 'verify', '--from', 'both')
  say('  $ dsh-hologram verify')
  say('  What memory holds, as a canonical dump (texts, places, times, recalls), before anything is deleted:')
  quote(describe(before))

  const files = readdirSync(memory, { recursive: true, encoding: 'utf8' })
  rmSync(memory, { recursive: true })
  say('  Deleted, database and journal together:')
  for (const file of files) quote(`hologram/${file}`)
  must(!existsSync(memory), 'something of the memory is left')

  say('  $ dsh-hologram rebuild --from logs')
  const rebuilt = await hologram(home, 'rebuild', '--from', 'logs')
  quote(`${Number(rebuilt.blocks)} memories, from ${Number(rebuilt.events)} events (commits and recalls)`)
  must(rebuilt.blocks === FACTS.length, `${FACTS.length} facts were committed, ${String(rebuilt.blocks)} came back`)
  must(!existsSync(join(memory, 'journal')), 'there is a journal again, so the logs were not the only source')

  say('  $ dsh-hologram verify --from logs')
  const after = await hologram(home, 'verify', '--from', 'logs')
  quote(describe(after))
  must(live(after) === live(before), `the rebuilt memory is not what was deleted: ${describe(after)}`)
  say('  The same, byte for byte.')
})

/** Runs the command line in a process of its own and reads its one line of JSON. */
async function hologram(home: string, ...words: string[]): Promise<Record<string, unknown>> {
  const args = [CLI, ...words, '--home', home, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout) as Record<string, unknown>
}

function live({ sha256 }: Record<string, unknown>): string {
  return (sha256 as { live: string }).live
}

function describe(answer: Record<string, unknown>): string {
  return `${Number(answer.lines)} lines, sha256 ${live(answer)}`
}
