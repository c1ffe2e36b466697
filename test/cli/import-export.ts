/** A machine of its own to import to and export from, and what its memory amounts to. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportJournal } from '../../src/cli/export.ts'
import { importFile } from '../../src/cli/import.ts'
import { readOptions } from '../../src/cli/options.ts'
import type { StoredEvent } from '../../src/events/index.ts'
import { JournalWriter } from '../../src/logs/index.ts'
import { dumpLines } from '../../src/readmodels/dump.ts'
import { Store } from '../../src/readmodels/worker/store.ts'
import { tempDir } from '../support/temp.ts'

export interface Said {
  readonly code: number
  readonly results: readonly string[]
  readonly remarks: readonly string[]
}

const COMMANDS = { import: importFile, export: exportJournal }

/** A harness home without a host. */
export class Machine {
  readonly home = tempDir()
  readonly path = join(this.home, 'hologram', 'memory.db')
  readonly journal = join(this.home, 'hologram', 'journal')
  readonly sessions = join(this.home, 'sessions')

  /** Runs a command as the command line would. */
  async run(command: keyof typeof COMMANDS, ...args: string[]): Promise<Said> {
    const results: string[] = []
    const remarks: string[] = []
    const output = { result: (line: string) => results.push(line), remark: (line: string) => remarks.push(line) }
    const code = await COMMANDS[command](readOptions([command, ...args, '--home', this.home]), output)
    return { code, results, remarks }
  }

  /** Runs a command with `--json`, and returns its one line. */
  async json(command: keyof typeof COMMANDS, ...args: string[]): Promise<Record<string, unknown>> {
    const { results } = await this.run(command, ...args, '--json')
    return JSON.parse(results.join('\n')) as Record<string, unknown>
  }

  /** Events into the journal only, as a host that was killed before it folded them leaves them. */
  journalOnly(events: readonly StoredEvent[]): void {
    const writer = JournalWriter.inFolder(this.journal)
    writer.append(events)
    writer.close()
  }

  async withStore<T>(run: (store: Store) => T | Promise<T>, path = this.path): Promise<T> {
    const store = new Store({ path, journal: this.journal })
    try {
      await store.catchUp([this.sessions])
      return await run(store)
    } finally {
      store.close()
    }
  }

  /** The dump of what this machine knows. */
  dump(): Promise<string> {
    return this.withStore(store => [...dumpLines(store.database)].join('\n'))
  }

  /** The dump of a rebuild from the journal alone. */
  async rebuilt(): Promise<string> {
    const store = new Store({ path: ':memory:', journal: this.journal, keepJournal: true })
    try {
      await store.catchUpJournal()
      return [...dumpLines(store.database)].join('\n')
    } finally {
      store.close()
    }
  }

  /** Every line of the journal, stream by stream. */
  lines(): string[] {
    if (!existsSync(this.journal)) return []
    return readdirSync(this.journal).flatMap(name =>
      readFileSync(join(this.journal, name), 'utf8').split('\n').slice(0, -1),
    )
  }

  /** The payloads in the journal, by verb. */
  said(verb: string): Array<Record<string, unknown>> {
    const events = this.lines().map(line => JSON.parse(line).event as { type: string; data: Record<string, unknown> })
    return events.filter(({ type }) => type === `hologram/${verb}`).map(({ data }) => data)
  }
}
