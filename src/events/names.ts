/** The memory actions that exist as events, by verb. */
export const VERBS = [
  'space',
  'commit',
  'embed',
  'link',
  'unlink',
  'merge',
  'purge',
  'archive',
  'recall',
  'distill',
] as const
export type Verb = (typeof VERBS)[number]

/** The name an event carries in a session log of this format, `hologram/<verb>`. */
export type EventName = `hologram/${Verb}`
/** The name it carries where the host has plugin records, `plugin:dsh-hologram/<verb>`. */
export type RecordName = `plugin:dsh-hologram/${Verb}`

export const PACKAGE_NAME = 'dsh-hologram'

/**
 * Every prefix one of our events may carry: as we write it, as a host with plugin records writes it, and as a host
 * that renames unknown ignorable events on a format upgrade leaves it.
 */
const PREFIXES = ['hologram/', 'plugin:hologram/', `plugin:${PACKAGE_NAME}/`] as const

export function eventName(verb: Verb): EventName {
  return `hologram/${verb}`
}

export function recordName(verb: Verb): RecordName {
  return `plugin:${PACKAGE_NAME}/${verb}`
}

/** Whether a session event type belongs to us, known verb or not. */
export function isOurs(type: unknown): type is string {
  return typeof type === 'string' && PREFIXES.some(prefix => type.startsWith(prefix))
}

/** The verb of one of our event types; `undefined` for foreign types and for verbs of a newer version of us. */
export function verbOf(type: unknown): Verb | undefined {
  if (typeof type !== 'string') return undefined
  for (const prefix of PREFIXES) {
    if (!type.startsWith(prefix)) continue
    const rest = type.slice(prefix.length)
    return VERBS.find(verb => verb === rest)
  }
  return undefined
}

/** Whether a message source is ours, in the shape of either session format. */
export function isOwnSource(source: unknown): boolean {
  if (typeof source !== 'object' || source === null) return false
  const { kind, plugin } = source as { kind?: unknown; plugin?: unknown }
  return kind === `plugin:${PACKAGE_NAME}` || (kind === 'plugin' && plugin === PACKAGE_NAME)
}
