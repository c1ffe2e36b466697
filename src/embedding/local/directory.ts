import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { field } from '../protocols/index.ts'
import { UnusableError } from './unusable.ts'

/** What a model's folder says about how it is run. */
export interface ModelFolder {
  /** Folder of the weights within the model's; empty for the model's own. */
  readonly subfolder: string
  /** How the weights are stored, in the words of the package that runs them. */
  readonly dtype: 'fp32' | 'q8'
  readonly pooling: 'mean' | 'cls'
  /** What is put before a text. */
  readonly prompts: { readonly query: string; readonly document: string }
  /** Hexadecimal SHA-256 of weights, tokenizer, configuration, pooling and prompts: equal content, equal vectors. */
  readonly content: string
}

const WEIGHTS = [
  { subfolder: 'onnx', file: 'model.onnx', dtype: 'fp32' },
  { subfolder: 'onnx', file: 'model_quantized.onnx', dtype: 'q8' },
  { subfolder: '', file: 'model.onnx', dtype: 'fp32' },
  { subfolder: '', file: 'model_quantized.onnx', dtype: 'q8' },
] as const
const NEEDED = ['config.json', 'tokenizer.json', 'tokenizer_config.json']

/** Reads a model's folder. Throws `UnusableError` that names the file which is missing or cannot be read. */
export async function readFolder(directory: string): Promise<ModelFolder> {
  const missing = NEEDED.find(name => !existsSync(join(directory, name)))
  if (missing !== undefined) throw unusable(`the model folder has no ${missing}`)
  const weights = WEIGHTS.find(({ subfolder, file }) => existsSync(join(directory, subfolder, file)))
  if (weights === undefined)
    throw unusable('the model folder has no model.onnx or model_quantized.onnx, nor has its onnx folder')
  const { subfolder, file, dtype } = weights
  const pooling = field(json(directory, '1_Pooling/config.json'), 'pooling_mode_cls_token') === true ? 'cls' : 'mean'
  const said = field(json(directory, 'config_sentence_transformers.json'), 'prompts')
  const prompts = { query: prompt(said, ['query']), document: prompt(said, ['document', 'passage']) }
  const hash = createHash('sha256').update(JSON.stringify([dtype, pooling, prompts]))
  for (const name of [...NEEDED, join(subfolder, file), join(subfolder, `${file}_data`)]) {
    const path = join(directory, name)
    if (!existsSync(path)) continue
    for await (const chunk of createReadStream(path)) hash.update(chunk)
  }
  return { subfolder, dtype, pooling, prompts, content: hash.digest('hex') }
}

function json(directory: string, name: string): unknown {
  const path = join(directory, name)
  if (!existsSync(path)) return undefined
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw unusable(`${name} of the model folder is not JSON`)
  }
}

function prompt(said: unknown, names: readonly string[]): string {
  const found = names.map(name => field(said, name)).find(text => typeof text === 'string')
  return found ?? ''
}

function unusable(message: string): UnusableError {
  return new UnusableError('model_unusable', message)
}
