import { detach } from './detach.ts'
import { doctor } from './doctor/doctor.ts'
import { exportJournal } from './export.ts'
import { importFile } from './import.ts'
import { historyOf, search, showBlock, status, why } from './look.ts'
import type { OptionName, Options } from './options.ts'
import type { Output } from './output.ts'
import { rebuild } from './rebuild.ts'
import { KEY_VARIABLE, reembed } from './reembed.ts'
import { verify } from './verify.ts'

export interface Command {
  /** How it is called, and what it does: one or more lines of the help. */
  readonly usage: ReadonlyArray<readonly [call: string, what: string]>
  /** Whether it takes words of its own. */
  readonly words?: true
  /** Options of its own. Any other is refused: who asks for a dry run must not get a real one. */
  readonly takes: readonly OptionName[]
  /** Returns the exit code. Throws `UsageError` for a call that is wrong. */
  run(options: Options, output: Output): number | Promise<number>
}

export const COMMANDS: Readonly<Record<string, Command>> = {
  status: {
    usage: [['status', 'how many memories and archived turns there are, of which projects, with how many vectors']],
    takes: [],
    run: status,
  },
  search: {
    usage: [
      [
        'search WORDS [--namespace NAME | --project DIR] [--no-pages]',
        'what memory holds about something, pages of archived turns too, and why it is found',
      ],
    ],
    words: true,
    takes: ['namespace', 'project', 'no-pages'],
    run: search,
  },
  show: {
    usage: [
      [
        'show ID [--namespace NAME | --project DIR]',
        'a memory as it is now, where it was said, and its ties; or an archived turn',
      ],
    ],
    words: true,
    takes: ['namespace', 'project'],
    run: showBlock,
  },
  why: {
    usage: [
      ['why [SESSION]', 'what was recalled last, memories and pages: event, session, place in its log, and the reason'],
    ],
    words: true,
    takes: [],
    run: why,
  },
  history: {
    usage: [['history ID [--namespace NAME | --project DIR]', 'every event that touched a memory']],
    words: true,
    takes: ['namespace', 'project'],
    run: historyOf,
  },
  doctor: {
    usage: [['doctor', 'look at all that memory needs, and say what to do; changes nothing']],
    takes: [],
    run: doctor,
  },
  rebuild: {
    usage: [['rebuild [--from logs|journal|both]', 'empty the database and fill it again']],
    takes: ['from'],
    run: rebuild,
  },
  verify: {
    usage: [['verify [--from logs|journal|both]', 'compare the database with a rebuild of it; changes nothing']],
    takes: ['from'],
    run: verify,
  },
  detach: {
    usage: [['detach [SESSION …] [--apply | --out DIR]', 'take our events out of stored sessions, for a host upgrade']],
    words: true,
    takes: ['apply', 'out'],
    run: detach,
  },
  export: {
    usage: [['export FILE [--namespace ID …] [--from logs|journal|both]', 'write all events to one portable file']],
    words: true,
    takes: ['namespace', 'from'],
    run: exportJournal,
  },
  import: {
    usage: [
      ['import FILE [--dry-run]', 'take in such a file'],
      ['import OLD.db [--namespace NAME | --project DIR] [--dry-run]', 'take in a database of the earlier port'],
    ],
    words: true,
    takes: ['namespace', 'project', 'dry-run'],
    run: importFile,
  },
  reembed: {
    usage: [
      [
        'reembed --endpoint URL --dimension N [--model NAME] [--protocol openai] [--fingerprint NAME] [--rate N]',
        'bring the vectors that are missing, N texts a second at most; can be interrupted, and goes on where it was',
      ],
      ['reembed --model-folder DIR', `the same with a local model; a key is read from ${KEY_VARIABLE}`],
    ],
    takes: ['endpoint', 'dimension', 'model', 'protocol', 'model-folder', 'fingerprint', 'rate'],
    run: (options, output) => reembed(options, output),
  },
}
