import { CommandRefusedError, MERGE_VERSION, type MergeEvent, type Origin } from '../events/index.ts'
import type { RedactionSettings } from '../redaction/index.ts'
import { type KnownBlocks, WHERE_IDS_ARE } from './known.ts'
import { cleanReason } from './reason.ts'
import type { Stamp } from './stamp.ts'

/** Two blocks that mean the same. */
export interface MergeInput {
  /** The block that goes on standing for both. */
  readonly keep: string
  /** The block whose id becomes an alias. */
  readonly drop: string
  readonly reason?: string
  /** In every namespace, not only in the caller's. */
  readonly everywhere?: boolean
}

export interface MergeDraft {
  /** The ids that stand for the two blocks now. */
  readonly keep: string
  readonly drop: string
  stamp(stamp: Stamp): MergeEvent
}

/** Decides a merge. Throws `CommandRefusedError`, which names the block that does not exist. */
export function decideMerge(
  input: MergeInput,
  origin: Origin,
  known: KnownBlocks,
  redaction?: RedactionSettings,
): MergeDraft {
  const { keep, drop, reason, everywhere } = input
  for (const [role, id] of [
    ['keep', keep],
    ['drop', drop],
  ] as const) {
    const state = known.get(id)?.state ?? 'unknown'
    if (state === 'purged') throw new CommandRefusedError('not_found', `the block to ${role}, ${id}, was purged`)
    if (state === 'unknown')
      throw new CommandRefusedError('not_found', `the block to ${role}, ${id}, does not exist; ${WHERE_IDS_ARE}`)
  }
  const kept = known.get(keep)?.representative ?? keep
  const dropped = known.get(drop)?.representative ?? drop
  if (kept === dropped) {
    throw new CommandRefusedError('same_block', `${keep} and ${drop} are one block already; there is nothing to merge`)
  }
  return {
    keep: kept,
    drop: dropped,
    stamp: stamp => ({
      v: MERGE_VERSION,
      ...stamp,
      keep: kept,
      drop: dropped,
      ...(everywhere === true ? { everywhere } : {}),
      ...(reason === undefined ? {} : { reason: cleanReason(reason, redaction) }),
      origin,
    }),
  }
}
