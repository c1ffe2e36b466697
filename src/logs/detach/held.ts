import { open } from 'node:fs/promises'
import { listStreams, readStream } from '../journal-reader.ts'
import { eventKey } from './event-key.ts'

/**
 * The keys of the events that a journal durably holds: each stream is synced before it is read, since another process
 * may have written to it without having come to its own sync. When streams were packed meanwhile, it is read again.
 */
export async function heldEvents(journal: string): Promise<Set<string>> {
  for (;;) {
    const keys = new Set<string>()
    const before = await paths(journal)
    for (const path of before) {
      if (!(await sync(path))) break
      for await (const item of readStream(path)) if (item.kind === 'event') keys.add(eventKey(item.event))
    }
    const after = new Set(await paths(journal))
    if (before.every(path => after.has(path))) return keys
  }
}

async function paths(journal: string): Promise<string[]> {
  return (await listStreams(journal)).map(stream => stream.path)
}

async function sync(path: string): Promise<boolean> {
  const file = await open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  try {
    await file?.sync()
  } finally {
    await file?.close()
  }
  return file !== undefined
}
