import type { MessageSource } from '@deepseek-ai/dsh-llm'
import { SESSION_FORMAT_VERSION, type Session } from '@deepseek-ai/dsh-session'
import { isOwnSource, PACKAGE_NAME } from '../../events/index.ts'

/** From this session format on, a plugin's source kind carries its name, and `kind: 'plugin'` fails the turn. */
const NAMED_KINDS_SINCE = 4

/**
 * The source of a message that puts memories before the model. On the older format it has exactly these members: any
 * other makes the session impossible to migrate.
 */
export function recallSource(format: number = SESSION_FORMAT_VERSION): MessageSource {
  return format >= NAMED_KINDS_SINCE
    ? ({ kind: `plugin:${PACKAGE_NAME}`, form: 'recall' } as unknown as MessageSource)
    : { kind: 'plugin', plugin: PACKAGE_NAME, form: 'recall' }
}

/** Whether a message is one of our recalls, in either shape. */
export function isOwnRecall(message: { readonly source?: unknown }): boolean {
  return isOwnSource(message.source)
}

/** Whether a message holds the human's own words. An allowlist of one kind: whatever hosts invent later is not it. */
export function isHuman(message: { readonly source?: unknown }): boolean {
  const { source } = message
  return typeof source === 'object' && source !== null && (source as { kind?: unknown }).kind === 'user'
}

/** Whether a session is a subagent's. Its prompt looks like a human's and is not. */
export function isSubagent({ header }: Pick<Session, 'header'>): boolean {
  return header.origin === 'subagent' || (header.delegationDepth ?? 0) > 0
}
