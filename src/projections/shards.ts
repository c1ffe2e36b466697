/**
 * A map from ids of blocks or documents to short strings, kept as packed strings in a fixed number of shards: a commit copies one shard,
 * and a checkpoint clones a few hundred strings instead of ten thousand objects.
 *
 *     shard 0x3f: "\nblk_3f…=c.1a.evt_…\nblk_3f…=c.1b.evt_…"
 */
export type Shards = readonly string[]

const SHARDS = 256
const ID = /^(?:blk|doc)_([0-9a-f]{2})(?:[0-9a-f]{10}|[0-9a-f]{22})$/

export function emptyShards(): Shards {
  return []
}

export function lookup(shards: Shards, id: string): string | undefined {
  const index = shardOf(id)
  const shard = index === undefined ? undefined : shards[index]
  if (shard === undefined) return undefined
  const at = shard.indexOf(`\n${id}=`)
  if (at < 0) return undefined
  const start = at + id.length + 2
  const end = shard.indexOf('\n', start)
  return shard.slice(start, end < 0 ? undefined : end)
}

/** A copy in which `id` has `value`. What is no such id is left out. */
export function store(shards: Shards, id: string, value: string): Shards {
  const index = shardOf(id)
  if (index === undefined) return shards
  const copy = shards.length === SHARDS ? [...shards] : Array.from({ length: SHARDS }, (_, i) => shards[i] ?? '')
  const shard = copy[index] ?? ''
  const before = lookup(shards, id)
  copy[index] =
    before === undefined ? `${shard}\n${id}=${value}` : shard.replace(`\n${id}=${before}`, () => `\n${id}=${value}`)
  return copy
}

/** All ids in the map. */
export function ids(shards: Shards): string[] {
  return shards.flatMap(shard =>
    Array.from(shard.matchAll(/^((?:blk|doc)_[0-9a-f]{12,24})=/gm), match => match[1] ?? ''),
  )
}

function shardOf(id: string): number | undefined {
  const hex = ID.exec(id)?.[1]
  return hex === undefined ? undefined : Number.parseInt(hex, 16)
}
