import { listStreams, readStream } from '../journal-reader.ts'
import type { LogItem } from '../session-log.ts'

/** How often the journal is listed anew while others go on writing it. */
const PASSES = 5

/**
 * Everything in a journal, streamed; some of it twice. Streams may be packed into others while they are read, so they are
 * listed anew until none is left that was not read.
 */
export async function* journalItems(folder: string): AsyncGenerator<LogItem> {
  const read = new Set<string>()
  const issues = new Set<string>()
  for (let pass = 0; pass < PASSES; pass++) {
    const streams = (await listStreams(folder)).filter(({ path, size }) => !read.has(`${path} ${size}`))
    if (streams.length === 0) return
    for (const { name, path, size } of streams) {
      read.add(`${path} ${size}`)
      for await (const item of readStream(path)) {
        if (item.kind === 'issue') {
          // The same place of a stream that was read again.
          const place = `${name} ${item.issue.offset}`
          if (issues.has(place)) continue
          issues.add(place)
        }
        yield item
      }
    }
  }
}
