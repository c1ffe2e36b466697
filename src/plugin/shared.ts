import { type ReadModel, WorkerReadModel } from '../readmodels/index.ts'
import type { RedactionSettings } from '../redaction/index.ts'

interface Shared {
  readonly model: WorkerReadModel
  users: number
}

/** One worker per database and process, however often the plugin is mounted in it. */
const open = new Map<string, Shared>()

export interface Lease {
  readonly model: ReadModel
  /** Ends the worker with its last user. */
  release(): Promise<void>
}

/** Mounts of one database share the redaction of the first. */
export function leaseReadModel(options: {
  readonly path: string
  readonly journal: string
  readonly redaction?: RedactionSettings
}): Lease {
  const key = JSON.stringify([options.path, options.journal])
  const shared = open.get(key) ?? { model: new WorkerReadModel(options), users: 0 }
  open.set(key, shared)
  shared.users += 1
  let released: Promise<void> | undefined
  const release = async () => {
    shared.users -= 1
    if (shared.users > 0) return
    open.delete(key)
    await shared.model.close()
  }
  return {
    model: shared.model,
    release: () => {
      released ??= release()
      return released
    },
  }
}
