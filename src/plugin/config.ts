import z from '@deepseek-ai/schemastery'
import type { EmbedSettings } from '../embedding/index.ts'
import { SCOPES, type Scope } from '../readmodels/index.ts'
import type { RedactionSettings } from '../redaction/index.ts'

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
    /** Estimated tokens put before the model at one step, and in one session, at most. */
    turnTokens: number
    sessionTokens: number
  }
  /** What is taken out of a text before it is remembered: secrets by built-in rules, and `patterns` of your own. */
  redaction: RedactionSettings
  /** Where vectors come from. With neither `endpoint` nor `directory` there are none, and nothing is sent anywhere. */
  embed: EmbedSettings & {
    /** How long a commit waits for its vector, in milliseconds; a later one is brought when there is time. */
    budgetMs: number
  }
  subagents: {
    /** Whether a subagent may commit. */
    write: boolean
  }
}

export const Config: z<Config> = z.object({
  path: z.string().description('The database file. Default: $DSH_HOME/hologram/memory.db.'),
  journal: z.string().description('The journal folder. Default: journal, beside the database.'),
  namespace: z.string().default('project').description('project, session, or a name shared by every session.'),
  topK: z.natural().min(1).max(100).default(8),
  inject: z.boolean().default(true),
  toolName: z
    .string()
    .pattern(/^[a-z][a-z0-9_]{0,40}$/)
    .default('stablemem'),
  maxBytes: z
    .natural()
    .min(256)
    .max(4 << 20)
    .default(64 << 10),
  recall: z.object({
    scope: z.union(SCOPES.map(scope => z.const(scope))).default('namespace'),
    floor: z.number().min(0).max(1).default(0),
  }),
  injection: z.object({
    topK: z.natural().min(1).max(50).default(5),
    floor: z.number().min(0).max(1).default(0.15),
    deadlineMs: z.natural().min(10).max(60_000).default(400),
    turnTokens: z.natural().min(50).max(100_000).default(1_200),
    sessionTokens: z.natural().min(50).max(10_000_000).default(20_000),
  }),
  redaction: z.object({
    enabled: z.boolean().default(true).description('Take secrets out of a text before it is remembered.'),
    patterns: z
      .array(z.object({ name: z.string().required(), pattern: z.string().required(), flags: z.string() }))
      .default([])
      .description('More to take out: name, pattern (RE2; a group named secret narrows it), flags of i, m, s.'),
  }),
  embed: z.object({
    endpoint: z.string().description('Full address of an embedding service.'),
    protocol: z.union(['hologram', 'openai'].map(name => z.const(name))).default('hologram'),
    dimension: z.natural().min(1).max(65_536).description('Length of its vectors.'),
    model: z.string(),
    apiKey: z.string().role('secret'),
    fingerprint: z.string().description('A name for the space instead of the computed one.'),
    timeoutMs: z.natural().min(1).max(600_000),
    directory: z.string().description('Folder of a local model, instead of an endpoint.'),
    budgetMs: z.natural().min(1).max(60_000).default(400),
  }),
  subagents: z.object({ write: z.boolean().default(false) }),
}) as z<Config>

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
