/** Sessions of many turns in the real binary, and what the model saw in them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { ModelRequest } from '../test/support/model-server.ts'
import { tempDir } from '../test/support/temp.ts'
import { runTask, type Task, type TaskRan } from './dsh.ts'

const DRIVER = fileURLToPath(new URL('./driver.ts', import.meta.url))

/** One process, one session, one turn for each line. */
export function runTalk(task: Omit<Task, 'task'> & { readonly lines: readonly string[] }): Promise<TaskRan> {
  const { lines, patches = [], ...rest } = task
  const [first = '', ...more] = lines
  const driver = patch([{ insert: [{ id: 'e2e-driver', name: pathToFileURL(DRIVER).href, config: { lines: more } }] }])
  return runTask({ ...rest, task: first, patches: [...patches, driver], timeoutMs: 120_000 })
}

/** Settings of ours for a run whose machine may be busy: what memory says must not depend on how fast it says it. */
export function settings(config: { readonly injection?: object; readonly [name: string]: unknown } = {}): string {
  return patch([{ id: 'hologram', config: { ...config, injection: { deadlineMs: 10_000, ...config.injection } } }])
}

/** A patch file for `--patch`. JSON is YAML. */
export function patch(rows: readonly object[]): string {
  const file = join(tempDir('patch-'), 'patch.yml')
  writeFileSync(file, JSON.stringify(rows))
  return file
}

/** Our messages in a request, in order. */
export function recalledIn(request: ModelRequest): string[] {
  return request.messages
    .filter(({ role, content }) => role === 'user' && content.startsWith('<recalled-memory'))
    .map(({ content }) => content)
}

/** Ids of the notes in a request, once for each time the model sees one. */
export function notesIn(request: ModelRequest): string[] {
  return recalledIn(request).flatMap(text => text.match(/<note id="[^"]+"/g) ?? [])
}

/** Where a request does not begin with all that the one before it held, byte for byte; nothing when it does. */
export function brokenPrefix(before: ModelRequest, after: ModelRequest): string | undefined {
  const parts = (request: ModelRequest) => [request.tools ?? [], ...request.messages].map(part => JSON.stringify(part))
  const [old, now] = [parts(before), parts(after)]
  const at = old.findIndex((part, index) => part !== now[index])
  return at < 0 ? undefined : `part ${at} was ${old[at]?.slice(0, 300)}\nand is ${now[at]?.slice(0, 300)}`
}
