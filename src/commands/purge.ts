import { CommandRefusedError, MAX_PURGED, type Origin, PURGE_VERSION, type PurgeEvent } from '../events/index.ts'
import type { RedactionSettings } from '../redaction/index.ts'
import { type KnownBlocks, WHERE_IDS_ARE } from './known.ts'
import { cleanReason } from './reason.ts'
import type { Stamp } from './stamp.ts'

/** Blocks to forget. */
export interface PurgeInput {
  readonly ids: readonly string[]
  readonly reason?: string
  /** In every namespace, not only in the caller's. */
  readonly everywhere?: boolean
}

type Pages = NonNullable<PurgeEvent['pages']>

export interface PurgeDraft {
  /** Every id that is purged: those that were named, and the ids that mean the same blocks. */
  readonly ids: readonly string[]
  stamp(stamp: Stamp): PurgeEvent
  /** Further events of the same purge, for pages beyond those that one event names. */
  readonly further: ReadonlyArray<(stamp: Stamp) => PurgeEvent>
}

/** Decides a purge. Throws `CommandRefusedError` when an id is not that of a block; nothing is purged then. */
export function decidePurge(
  input: PurgeInput,
  origin: Origin,
  known: KnownBlocks,
  redaction?: RedactionSettings,
): PurgeDraft {
  const { ids, reason = '', everywhere } = input
  if (!Array.isArray(ids) || ids.length === 0) {
    throw new CommandRefusedError('bad_field', 'ids must name at least one block')
  }
  const missing = ids.filter(id => (known.get(id)?.state ?? 'unknown') === 'unknown')
  if (missing.length > 0) {
    const named = missing.map(String).join(', ')
    throw new CommandRefusedError('not_found', `nothing was purged: ${named} does not exist; ${WHERE_IDS_ARE}`)
  }
  const family = [...new Set(ids.flatMap(id => known.get(id)?.family ?? [id]))]
  if (family.length > MAX_PURGED) {
    throw new CommandRefusedError('too_large', `one purge names at most ${MAX_PURGED} blocks, not ${family.length}`)
  }
  const cleaned = cleanReason(reason, redaction)
  const naming =
    (pages: Pages) =>
    (stamp: Stamp): PurgeEvent => ({
      v: PURGE_VERSION,
      ...stamp,
      ids: family,
      ...(pages.length === 0 ? {} : { pages }),
      ...(everywhere === true ? { everywhere } : {}),
      reason: cleaned,
      origin,
    })
  const pages = pagesOf(ids, known)
  const further: Array<(stamp: Stamp) => PurgeEvent> = []
  for (let from = MAX_PURGED; from < pages.length; from += MAX_PURGED) {
    further.push(naming(pages.slice(from, from + MAX_PURGED)))
  }
  return { ids: family, stamp: naming(pages.slice(0, MAX_PURGED)), further }
}

/** Pages that hold one of the texts, each once. */
function pagesOf(ids: readonly string[], known: KnownBlocks): Pages {
  const pages = ids.flatMap(id => known.get(id)?.pages ?? [])
  const once = new Map(pages.map(({ doc, page }) => [`${doc} ${page}`, { doc, page }]))
  return [...once.values()]
}
