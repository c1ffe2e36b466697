import type { z } from 'zod'
import {
  ARCHIVE_VERSION,
  type ArchiveEvent,
  archiveSchema,
  DISTILL_VERSION,
  type DistillEvent,
  distillSchema,
} from './archive.ts'
import { COMMIT_VERSION, type CommitEvent, commitSchema } from './commit.ts'
import { EMBED_VERSION, type EmbedEvent, embedSchema } from './embed.ts'
import { LINK_VERSION, type LinkEvent, linkSchema, type UnlinkEvent, unlinkSchema } from './link.ts'
import { MERGE_VERSION, type MergeEvent, mergeSchema } from './merge.ts'
import { isOurs, type Verb, verbOf } from './names.ts'
import { PURGE_VERSION, type PurgeEvent, purgeSchema } from './purge.ts'
import { RECALL_VERSION, type RecallEvent, recallSchema } from './recall.ts'
import { SPACE_VERSION, type SpaceEvent, spaceSchema } from './space.ts'

/** One of our events, validated and at its newest version. */
export type MemoryEvent =
  | { readonly verb: 'space'; readonly data: SpaceEvent }
  | { readonly verb: 'commit'; readonly data: CommitEvent }
  | { readonly verb: 'embed'; readonly data: EmbedEvent }
  | { readonly verb: 'link'; readonly data: LinkEvent }
  | { readonly verb: 'unlink'; readonly data: UnlinkEvent }
  | { readonly verb: 'merge'; readonly data: MergeEvent }
  | { readonly verb: 'purge'; readonly data: PurgeEvent }
  | { readonly verb: 'archive'; readonly data: ArchiveEvent }
  | { readonly verb: 'recall'; readonly data: RecallEvent }
  | { readonly verb: 'distill'; readonly data: DistillEvent }

export type PayloadOf<V extends Verb> = Extract<MemoryEvent, { verb: V }>['data']

/** Why an event that bears our name could not be used. */
export type SkipReason = 'unknown_verb' | 'newer_version' | 'malformed'

export type ReadResult =
  | { readonly kind: 'event'; readonly event: MemoryEvent }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'skipped'; readonly reason: SkipReason; readonly detail: string }

interface Family {
  readonly version: number
  readonly schema: z.ZodType
  /** Brings a payload of version `v` to version `v + 1`; none is needed yet. */
  readonly upcast: Readonly<Record<number, (payload: Record<string, unknown>) => Record<string, unknown>>>
}

const FAMILIES: Readonly<Record<Verb, Family>> = {
  space: { version: SPACE_VERSION, schema: spaceSchema, upcast: {} },
  commit: { version: COMMIT_VERSION, schema: commitSchema, upcast: {} },
  embed: { version: EMBED_VERSION, schema: embedSchema, upcast: {} },
  link: { version: LINK_VERSION, schema: linkSchema, upcast: {} },
  unlink: { version: LINK_VERSION, schema: unlinkSchema, upcast: {} },
  merge: { version: MERGE_VERSION, schema: mergeSchema, upcast: {} },
  purge: { version: PURGE_VERSION, schema: purgeSchema, upcast: {} },
  archive: { version: ARCHIVE_VERSION, schema: archiveSchema, upcast: {} },
  distill: { version: DISTILL_VERSION, schema: distillSchema, upcast: {} },
  recall: { version: RECALL_VERSION, schema: recallSchema, upcast: {} },
}

/** What can be read: each verb with its version. Another vocabulary may read events that this one passes over. */
export const VOCABULARY = Object.entries(FAMILIES)
  .map(([verb, { version }]) => `${verb}@${version}`)
  .join(' ')

/**
 * Reads a session event, under any name it may carry and at any version known. Never throws: a foreign event is
 * `foreign`, and one of ours that cannot be used is `skipped` with the reason.
 */
export function readEvent(type: unknown, payload: unknown): ReadResult {
  if (!isOurs(type)) return { kind: 'foreign' }
  const verb = verbOf(type)
  if (verb === undefined) return { kind: 'skipped', reason: 'unknown_verb', detail: type }
  try {
    return read(verb, payload)
  } catch (error) {
    // A payload may be any object of the process it lives in, with getters that throw, and throw anything.
    return { kind: 'skipped', reason: 'malformed', detail: `${type}: ${shown(error)}` }
  }
}

function read(verb: Verb, payload: unknown): ReadResult {
  const family = FAMILIES[verb]
  let current = payload
  for (;;) {
    const version = isRecord(current) ? current.v : undefined
    if (!isRecord(current) || typeof version !== 'number') break
    if (version > family.version) {
      return { kind: 'skipped', reason: 'newer_version', detail: `hologram/${verb} version ${version}` }
    }
    const upcast = family.upcast[version]
    if (upcast === undefined) break
    current = upcast(current)
  }
  const parsed = family.schema.safeParse(current)
  if (parsed.success) return { kind: 'event', event: { verb, data: parsed.data } as MemoryEvent }
  const issue = parsed.error.issues[0]
  const where = issue === undefined ? '' : `${issue.path.join('.')}: ${issue.message}`
  return { kind: 'skipped', reason: 'malformed', detail: `hologram/${verb} ${where}`.trim() }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Even what was thrown may throw when it is made a string. */
function shown(error: unknown): string {
  try {
    return String(error)
  } catch {
    return 'it threw what cannot be shown'
  }
}
