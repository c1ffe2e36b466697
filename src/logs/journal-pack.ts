import { rename, unlink } from 'node:fs/promises'
import { setImmediate as breathe } from 'node:timers/promises'
import type { StoredEvent } from '../events/index.ts'
import { type JournalStream, listStreams, readStream, SEALED } from './journal-reader.ts'
import { JournalWriter } from './journal-writer.ts'

/** Streams that are small enough to be packed, in bytes, and how much is packed at once. */
const SMALL = 8 << 20
const AT_ONCE = 64 << 20
/** Events written with one fsync. */
const GROUP = 500

/** Every process begins a stream of its own; with this many small ones they are packed into one. */
export const PACK_FROM = 64

/**
 * Packs small streams of a journal into one, each event once. Safe beside living writers and other packers: a stream is
 * renamed before it is read, which its writer notices after each append, and is removed only when what it held is on
 * disk elsewhere. A crash in between leaves sealed streams, which readers read and the next packing finishes.
 *
 * @param own path of the caller's own stream, which is left alone
 * @returns how many streams were packed
 */
export async function packStreams(folder: string, own: string, from = PACK_FROM): Promise<number> {
  const all = await listStreams(folder)
  const small = all.filter(({ path, size }) => path !== own && size <= SMALL)
  const left = all.some(({ path }) => path.endsWith(SEALED))
  if (small.length < from && !left) return 0
  const sealed = await seal(small)
  const writer = JournalWriter.inFolder(folder)
  const seen = new Set<unknown>()
  let group: StoredEvent[] = []
  const flush = async () => {
    if (group.length > 0) writer.append(group)
    group = []
    await breathe()
  }
  const damaged = new Set<string>()
  const unread = new Set<string>()
  try {
    for (const { path } of sealed) {
      for await (const item of readStream(path)) {
        if (item.kind === 'issue') {
          if (item.issue.unread) unread.add(path)
          damaged.add(path)
          continue
        }
        const { data } = item.event
        const id: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'id') : undefined
        if (seen.has(id)) continue
        if (id !== undefined) seen.add(id)
        if (group.push(item.event) >= GROUP) await flush()
      }
    }
    await flush()
  } finally {
    writer.close()
  }
  for (const { path } of sealed) {
    // What was not read to its end stays, for the next time.
    if (unread.has(path)) continue
    // A stream with unreadable places is kept aside, as it was.
    const done = damaged.has(path) ? rename(path, `${path.slice(0, -SEALED.length)}.damaged`) : unlink(path)
    await done.catch(ignoreMissing)
  }
  return sealed.length
}

/** Takes streams out of their writers' hands, as many as are packed at once. */
async function seal(streams: readonly JournalStream[]): Promise<JournalStream[]> {
  const sealed: JournalStream[] = []
  let bytes = 0
  for (const stream of streams) {
    if (bytes + stream.size > AT_ONCE) break
    bytes += stream.size
    if (stream.path.endsWith(SEALED)) {
      sealed.push(stream)
      continue
    }
    const path = `${stream.path}${SEALED}`
    const taken = await rename(stream.path, path).then(() => true, ignoreMissing)
    if (taken === true) sealed.push({ ...stream, path })
  }
  return sealed
}

/** Another packer was faster. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
