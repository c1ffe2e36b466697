import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { EmbedSettings } from '../embedding/index.ts'
import { reasonOf } from '../events/index.ts'
import { defaultSessionRoot, dshHome, memoryPaths } from '../logs/index.ts'

/** Exit codes: what was asked holds; it does not hold; the call or the place it names is wrong. */
export const EXIT = { ok: 0, differs: 1, usage: 2 } as const

/** A call that cannot be carried out; the message says what to change. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const SOURCES = ['logs', 'journal', 'both'] as const
export type From = (typeof SOURCES)[number]

/** What every command works on. */
export interface Options {
  readonly home: string
  readonly path: string
  readonly journal: string
  readonly roots: readonly string[]
  readonly from: From
  readonly json: boolean
  readonly help: boolean
  readonly apply: boolean
  readonly out: string | undefined
  /** For `export`: ids of namespaces. For `import`: the name of one. */
  readonly namespaces: readonly string[]
  readonly project: string | undefined
  readonly dryRun: boolean
  /** For `search`: memories only. */
  readonly noPages: boolean
  readonly words: readonly string[]
  /** For `reembed`: where vectors come from. */
  readonly embed: EmbedSettings
  /** For `reembed`: texts a second, at most. */
  readonly rate: number | undefined
  /** The options of some commands only that were given. */
  readonly given: readonly OptionName[]
}

/** Reads the command line. Throws `UsageError` for what is not known. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args)
  if (values.home?.trim() === '') throw new UsageError('--home is empty; leave it out for the default home')
  const home = values.home === undefined ? dshHome() : dshHome({ DSH_HOME: values.home })
  const from = SOURCES.find(source => source === (values.from ?? 'both'))
  // A folder that nobody named may not be there yet; one that was named is misspelt, and would empty the memory.
  for (const root of values.sessions ?? []) {
    if (!existsSync(root)) throw new UsageError(`there is no folder ${root}; --sessions names one with session logs`)
  }
  if (values.home !== undefined && !existsSync(home)) {
    throw new UsageError(`there is no folder ${home}; --home names a harness home`)
  }
  if (from === undefined) throw new UsageError(`--from is ${SOURCES.join(', ')}, not ${values.from}`)
  return {
    home,
    ...memoryPaths({ path: values.path, journal: values.journal }, home),
    roots: values.sessions ?? [defaultSessionRoot(home)],
    from,
    json: values.json,
    help: values.help,
    apply: values.apply ?? false,
    out: values.out,
    namespaces: values.namespace ?? [],
    project: values.project,
    dryRun: values['dry-run'] ?? false,
    noPages: values['no-pages'] ?? false,
    words: positionals,
    embed: embedSettings(values),
    rate: rateOf(values.rate),
    given: (Object.keys(OWN) as OptionName[]).filter(name => values[name] !== undefined),
  }
}

/** Options of every command. */
const COMMON = {
  home: { type: 'string' },
  path: { type: 'string' },
  journal: { type: 'string' },
  sessions: { type: 'string', multiple: true },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/** Options of some commands only. */
const OWN = {
  from: { type: 'string' },
  apply: { type: 'boolean' },
  out: { type: 'string' },
  namespace: { type: 'string', multiple: true },
  project: { type: 'string' },
  'dry-run': { type: 'boolean' },
  'no-pages': { type: 'boolean' },
  endpoint: { type: 'string' },
  dimension: { type: 'string' },
  model: { type: 'string' },
  protocol: { type: 'string' },
  'model-folder': { type: 'string' },
  fingerprint: { type: 'string' },
  rate: { type: 'string' },
} as const

export type OptionName = keyof typeof OWN

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: { ...COMMON, ...OWN } })
  } catch (error) {
    throw new UsageError(reasonOf(error))
  }
}

function embedSettings(values: ReturnType<typeof parse>['values']): EmbedSettings {
  const { endpoint, model, protocol, dimension, fingerprint } = values
  const length = dimension === undefined ? undefined : Number(dimension)
  if (length !== undefined && !Number.isInteger(length))
    throw new UsageError(`--dimension is a number, not ${dimension}`)
  if (protocol !== undefined && protocol !== 'hologram' && protocol !== 'openai') {
    throw new UsageError(`--protocol is hologram or openai, not ${protocol}`)
  }
  return { endpoint, model, protocol, dimension: length, fingerprint, directory: values['model-folder'] }
}

function rateOf(given: string | undefined): number | undefined {
  const rate = given === undefined ? undefined : Number(given)
  if (rate !== undefined && !(rate > 0)) throw new UsageError(`--rate is a number of texts a second, not ${given}`)
  return rate
}
