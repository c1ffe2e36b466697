/** Parts of parameters and answers that several tools have. */

import type { Memory } from '../memory.ts'

/** Said of every id that a tool takes. */
export const BLOCK_ID = 'blk_ and 24 hex digits, as notes give it'

/** The last of the reasons for which a call that writes is refused. */
export function andSubagents({ parts }: Memory): string {
  return parts.config.subagents.write ? '' : ', and calls of a subagent'
}

export const EVERYWHERE = {
  type: 'boolean',
  description: 'true: in every project, not only in this one. Only when the user asks for it.',
} as const

export const PENDING_FLAG = {
  type: 'boolean',
  description: 'true: it is safe, and takes effect once the database can be written.',
} as const

export const NULLABLE_INTEGER = { oneOf: [{ type: 'integer' }, { type: 'null' }], required: true } as const
