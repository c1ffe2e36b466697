import z from '@deepseek-ai/schemastery'
import type { EmbedSettings } from '../embedding/index.ts'
import { SCOPES, type Scope } from '../readmodels/index.ts'
import type { RedactionSettings } from '../redaction/index.ts'
import { explainSetting } from './config-problems.ts'

/** Every setting. All have defaults; a file of settings is not needed. */
export interface Config {
  /** The database file. Default: `$DSH_HOME/hologram/memory.db`. */
  path?: string
  /** The journal folder. Default: `journal` beside the database. */
  journal?: string
  /** `project` (by the session's workspace), `session` (a session and its forks), or a name shared by all. */
  namespace: string
  /** Hits a recall returns unless it asks for another number. */
  topK: number
  /** Whether what the human's words recall is put before the model. */
  inject: boolean
  /** First part of the tools' names. Another instance in the same harness needs another. */
  toolName: string
  /** Largest text of one memory, in bytes. */
  maxBytes: number
  recall: {
    scope: Scope
    /** Hits that score below this, in [0, 1], are left out. */
    floor: number
  }
  injection: {
    /** Memories put before the model at once, at most. */
    topK: number
    /** Memories that score below this, in [0, 1], are not worth their tokens. */
    floor: number
    /** How long a step waits for memory, in milliseconds. */
    deadlineMs: number
    /** Tokens put before the model in one turn, and in one session, at most: by the host's meter, or estimated. */
    turnTokens: number
    sessionTokens: number
    /** Whether a question about a number or name that memory does not hold is answered by saying so, in a line. */
    notice: boolean
    /** Whether what a tool returned recalls memories too, under the same budgets. */
    toolOutput: boolean
  }
  /** What is taken out of a text before it is remembered: secrets by built-in rules, and `patterns` of your own. */
  redaction: RedactionSettings
  /** Where vectors come from. With neither `endpoint` nor `directory` there are none, and nothing is sent anywhere. */
  embed: EmbedSettings & {
    /** How long a commit waits for its vector, in milliseconds; a later one is brought when there is time. */
    budgetMs: number
  }
  subagents: {
    /** Whether a subagent may commit, and its turns are archived. */
    write: boolean
  }
  /** What was said in turns: archived when they stop, found again, and made memories when it has cooled. */
  cold: {
    /** Whether turns are archived as they stop. */
    archive: boolean
    /** First part of the names of its tools. Default: `coldcontext`, behind `toolName` where that was changed. */
    toolName?: string
    /** Turns in which human and model said less, in characters, are not archived; Han characters count double. */
    minChars: number
    pages: {
      /** Pages of archived turns that a recall returns, at most. */
      topK: number
      /** Whether pages are put before the model together with memories, under the same budgets. */
      inject: boolean
    }
    cooling: {
      /** Age after which a turn has cooled, and how often it may have been asked for until then. */
      hours: number
      accesses: number
      /** What makes memories of it: sentences by rules, a model by the same rules, or nothing. */
      distill: (typeof DISTILLERS)[number]
      /** The model that is asked, by the host's names. Default: that of the latest request of an agent. */
      provider?: string
      model?: string
    }
  }
}

export const DISTILLERS = ['rules', 'model', 'off'] as const

export const Config: z<Config> = z.object({
  path: z.string().description('The database file. Default: $DSH_HOME/hologram/memory.db.'),
  journal: z.string().description('The journal folder. Default: journal, beside the database.'),
  namespace: z
    .string()
    .pattern(/\S/)
    .default('project')
    .description('project, session, or a name shared by every session.'),
  topK: z.natural().min(1).max(100).default(8).description('Hits a recall returns unless it asks for another number.'),
  inject: z.boolean().default(true).description('Put what the words of the human recall before the model.'),
  toolName: z
    .string()
    .pattern(/^[a-z][a-z0-9_]{0,40}$/)
    .default('stablemem')
    .description('First part of the names of the tools; another instance needs another.'),
  maxBytes: z
    .natural()
    .min(256)
    .max(4 << 20)
    .default(64 << 10)
    .description('Largest text of one memory, in bytes.'),
  recall: z.object({
    scope: z
      .union(SCOPES.map(scope => z.const(scope)))
      .default('namespace')
      .description('Whose memory is searched: what this session said, this namespace, or all.'),
    floor: z.number().min(0).max(1).default(0).description('Hits that score below this are left out.'),
  }),
  injection: z.object({
    topK: z.natural().min(1).max(50).default(5).description('Memories put before the model at once, at most.'),
    floor: z.number().min(0).max(1).default(0.15).description('Memories that score below this are not worth it.'),
    deadlineMs: z.natural().min(10).max(60_000).default(400).description('How long a step waits, in milliseconds.'),
    turnTokens: z.natural().min(50).max(100_000).default(1_200).description('Tokens added in one turn, at most.'),
    sessionTokens: z
      .natural()
      .min(50)
      .max(10_000_000)
      .default(20_000)
      .description('Tokens added in one session, at most.'),
    notice: z.boolean().default(true).description('Say so when a question names what memory does not hold.'),
    toolOutput: z.boolean().default(false).description('Recall for what tools return as well.'),
  }),
  redaction: z.object({
    enabled: z.boolean().default(true).description('Take secrets out of a text before it is remembered.'),
    patterns: z
      .array(
        z.object({
          name: z.string().required().description('What stands in the place of what was taken out.'),
          pattern: z.string().required().description('RE2.'),
          flags: z.string().description('i, m, s.'),
        }),
      )
      .default([])
      .description('More to take out: name, pattern (RE2; a group named secret narrows it), flags of i, m, s.'),
  }),
  embed: z.object({
    endpoint: z.string().description('Full address of an embedding service.'),
    protocol: z
      .union(['hologram', 'openai'].map(name => z.const(name)))
      .default('hologram')
      .description('What the service speaks.'),
    dimension: z.natural().min(1).max(65_536).description('Length of its vectors.'),
    model: z.string().description('Name of the model; openai needs it.'),
    apiKey: z.string().role('secret').description('Sent to the endpoint as a bearer token, and nowhere else.'),
    fingerprint: z.string().description('A name for the space instead of the computed one.'),
    timeoutMs: z.natural().min(1).max(600_000).description('Limit of one request, in milliseconds.'),
    directory: z.string().description('Folder of a local model, instead of an endpoint.'),
    budgetMs: z.natural().min(1).max(60_000).default(400).description('How long a commit waits, in milliseconds.'),
  }),
  subagents: z.object({ write: z.boolean().default(false).description('Whether a subagent may write to memory.') }),
  cold: z.object({
    archive: z.boolean().default(true).description('Archive turns as they stop, so that what was said is found again.'),
    toolName: z
      .string()
      .pattern(/^[a-z][a-z0-9_]{0,40}$/)
      .description('First part of the names of its tools.'),
    minChars: z.natural().max(100_000).default(40).description('Turns that say less are not archived, in characters.'),
    pages: z.object({
      topK: z.natural().min(1).max(50).default(3).description('Pages that a recall returns, at most.'),
      inject: z.boolean().default(true).description('Put pages of archived turns before the model as well.'),
    }),
    cooling: z.object({
      hours: z.number().min(0.01).max(87_600).default(72).description('Age after which a turn has cooled.'),
      accesses: z.natural().max(1_000).default(2).description('How often it may have been asked for until then.'),
      distill: z
        .union(DISTILLERS.map(name => z.const(name)))
        .default('rules')
        .description('What makes memories of it.'),
      provider: z.string().description('Provider of the model that is asked; default: as an agent asked last.'),
      model: z.string().description('The model that is asked; default: as an agent asked last.'),
    }),
  }),
}) as z<Config>

// What the host asks when it loads us. Its own messages name no remedy, and would quote a secret.
const { validate, ...standard } = Config['~standard']
Object.defineProperty(Config, '~standard', {
  value: {
    ...standard,
    validate(config: unknown) {
      const result = validate(config)
      if (!('issues' in result) || result.issues === undefined) return result
      const issues = result.issues.map(({ path = [] }) => {
        const keys = path.map(key => (typeof key === 'object' ? key.key : key))
        return { message: explainSetting(Config, config, keys), path: keys }
      })
      return { issues }
    },
  },
})

/**
 * Settings that do not exist, which the schema itself lets pass: a message each, that names the setting and the ones
 * there are. A misspelt setting must be noticed, and must not keep the harness from starting.
 */
export function unknownSettings(config: object): string[] {
  return unknownBelow(config, Config, '')
}

function unknownBelow(value: unknown, schema: object, path: string): string[] {
  const known: unknown = Reflect.get(schema, 'dict')
  if (typeof value !== 'object' || value === null || typeof known !== 'object' || known === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const next: unknown = Object.hasOwn(known, key) ? Reflect.get(known, key) : undefined
    if ((typeof next === 'object' && next !== null) || typeof next === 'function') {
      return unknownBelow(inner, next, `${path}${key}.`)
    }
    const settings = Object.keys(known).join(', ')
    return [
      `there is no setting \`${path}${key}\`, and it is ignored; the settings here are ${settings}. Remove or rename it.`,
    ]
  })
}
