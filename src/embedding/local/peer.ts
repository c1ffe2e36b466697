import { availableParallelism } from 'node:os'
import { basename, dirname, resolve } from 'node:path'
import { field } from '../protocols/index.ts'
import type { ModelFolder } from './directory.ts'
import { UnusableError } from './unusable.ts'

/** The optional package that runs models. */
export const PEER = '@huggingface/transformers'

/** Texts to one flat row of floats each. */
export type Extractor = (texts: readonly string[]) => Promise<Float32Array<ArrayBuffer>[]>

/**
 * Loads the package and the model with it, from the folder alone: downloads are switched off. Throws `UnusableError` when
 * the package is missing or is not what it should be, and whatever the package throws for a model it cannot run.
 */
export async function loadExtractor(peer: string, directory: string, folder: ModelFolder): Promise<Extractor> {
  const module = await importPeer(peer)
  const pipeline = field({ ...module }, 'pipeline')
  const env = field({ ...module }, 'env')
  if (typeof pipeline !== 'function' || typeof env !== 'object' || env === null) {
    throw new UnusableError(
      'peer_missing',
      `${peer} has no \`pipeline\` and \`env\`; install version 3 or 4 of ${PEER}`,
    )
  }
  const path = resolve(directory)
  Object.assign(env, { allowRemoteModels: false, allowLocalModels: true, localModelPath: dirname(path) })
  const extract: unknown = await pipeline('feature-extraction', basename(path), {
    local_files_only: true,
    device: 'cpu',
    dtype: folder.dtype,
    subfolder: folder.subfolder,
    // Half of the processors: the host's own work goes on beside it.
    session_options: { intraOpNumThreads: Math.max(1, Math.floor(availableParallelism() / 2)) },
  })
  if (typeof extract !== 'function') throw new UnusableError('model_unusable', `${peer} did not load the model`)
  return async texts => rows(await extract([...texts], { pooling: folder.pooling, normalize: true }), texts.length)
}

async function importPeer(peer: string): Promise<object> {
  try {
    const module: unknown = await import(peer)
    return typeof module === 'object' && module !== null ? module : {}
  } catch (error) {
    if (field(error, 'code') !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new UnusableError('peer_missing', `embed.directory needs the package ${PEER}; install it beside dsh-hologram`)
  }
}

/** Cuts the package's tensor, of shape [texts, dimension], into rows. */
function rows(tensor: unknown, count: number): Float32Array<ArrayBuffer>[] {
  const data: unknown = tensorField(tensor, 'data')
  const dims: unknown = tensorField(tensor, 'dims')
  if (!(data instanceof Float32Array) || !Array.isArray(dims) || dims.length !== 2 || dims[0] !== count) {
    throw new UnusableError('model_unusable', 'the model gives no vector for a whole text')
  }
  const width = Number(dims[1])
  return Array.from({ length: count }, (_, row) => new Float32Array(data.subarray(row * width, (row + 1) * width)))
}

/** Tensors have accessors where plain objects have members. */
function tensorField(tensor: unknown, name: string): unknown {
  return typeof tensor === 'object' && tensor !== null ? Reflect.get(tensor, name) : undefined
}
