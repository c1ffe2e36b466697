/** V5: unloading the plugin leaves nothing running and nothing open, and what it stored opens again. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import Database from 'better-sqlite3'
import * as hologram from '../../src/plugin/index.ts'
import { WorkerReadModel } from '../../src/readmodels/index.ts'
import type { Host } from '../../test/support/host.ts'
import { all, atDesk, type Found } from './desk.ts'

const FACT = 'The spare key of the server room is in drawer 17b.'

export async function unload(): Promise<Found> {
  const workers: Worker[] = []
  const note = (message: unknown) => void workers.push((message as { worker: Worker }).worker)
  subscribe('worker_threads', note)
  try {
    return await atDesk({}, async ({ host, plugin, agent }) => {
      const { session } = await agent('v5')
      await host.ctx.stablemem.commit({ text: FACT }, { session })
      const { path, journal } = await host.ctx.stablemem.stats()
      const folder = join(host.home, 'hologram')
      const before = { workers: running(workers), files: openFiles(folder), tools: offers(host, 'stablemem') }

      await plugin.dispose()
      const after = { workers: running(workers), files: openFiles(folder) }
      const gone = host.ctx.get('stablemem') === undefined && !offers(host, 'stablemem')
      const left = readdirSync(folder).sort()
      await plugin.dispose()
      const model = new WorkerReadModel({ path, journal })
      await model.ready
      await model.close()
      await model.close()

      const db = new Database(path, { readonly: true })
      const blocks = Number(db.prepare('SELECT count(*) FROM memory_blocks').pluck().get())
      db.close()
      await host.mount(hologram, {})
      const again = await host.ctx.stablemem.recall('drawer 17b', { session, topK: 1 })
      const files = openFilesKnown()
        ? `open files ${before.files.length} -> ${after.files.length}`
        : 'open files not listed by this system'
      return all(
        {
          'the plugin had a worker and tools': before.workers === 1 && before.tools,
          'the worker is gone': after.workers === 0,
          'it had files open': !openFilesKnown() || before.files.length > 0,
          'no file is open': after.files.length === 0,
          'no WAL or shared memory is left': !left.some(name => /-(wal|shm)$/.test(name)),
          'the service and the tools are gone': gone,
          'the file opens elsewhere': blocks === 1 && existsSync(path),
          'mounted again, it recalls': again.hits[0]?.text === FACT,
        },
        `workers ${before.workers} -> ${after.workers}, ${files}, tools and service gone, left on disk: ${left.join(', ')}; closed twice without complaint; opened again: ${blocks} block`,
      )
    })
  } finally {
    unsubscribe('worker_threads', note)
  }
}

/** Whether the host offers a model any tool with this beginning. */
function offers({ ctx }: Host, prefix: string): boolean {
  return ctx.tools.schemas().some(({ name }) => name.startsWith(prefix))
}

/** A thread that has ended has no id any more. */
function running(workers: readonly Worker[]): number {
  return workers.filter(worker => worker.threadId !== -1).length
}

const DESCRIPTORS = '/proc/self/fd'

/** Only Linux lists the open files of a process as files. */
function openFilesKnown(): boolean {
  return existsSync(DESCRIPTORS)
}

function openFiles(folder: string): string[] {
  if (!openFilesKnown()) return []
  return readdirSync(DESCRIPTORS).flatMap(name => {
    try {
      const target = readlinkSync(join(DESCRIPTORS, name))
      return target.startsWith(folder) ? [target] : []
    } catch {
      // The one that lists the folder is closed by now.
      return []
    }
  })
}
