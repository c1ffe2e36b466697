import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

export const MODEL_FILES: Readonly<Record<string, string>> = {
  'config.json': '{}',
  'tokenizer.json': '{}',
  'tokenizer_config.json': '{}',
  'onnx/model.onnx': 'weights',
}

/** A folder that looks like a model's, under a temporary one, which goes with the test. */
export function modelFolder(files: Readonly<Record<string, string>> = MODEL_FILES, name = 'tiny'): string {
  const parent = mkdtempSync(join(tmpdir(), 'hologram-model-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  const folder = join(parent, name)
  mkdirSync(folder)
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return folder
}
