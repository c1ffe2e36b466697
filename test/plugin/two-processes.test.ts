import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import * as hologram from '../../src/plugin/index.ts'
import { bootHost } from '../support/host.ts'
import { removeTempDirs, tempDir } from '../support/temp.ts'

afterAll(removeTempDirs)

const other = fileURLToPath(new URL('./other-process.ts', import.meta.url))

test('a correction made in a process that only read the fact comes after it', async () => {
  const home = tempDir()
  const host = await bootHost({ home })
  await host.mount(hologram, {})
  const { session } = await host.createAgent({ sessionId: 'early', cwd: home })
  const memory = host.ctx.stablemem
  await memory.commit({ text: 'unrelated' }, { session })
  // The other host starts now, corrects what it is told of later, and must not be taken for the earlier one.
  const correcting = promisify(execFile)(process.execPath, [other, home, 'staging|port=9090', 'staging|port=8080'])
  for (let n = 0; n < 20; n++) await memory.commit({ text: `note ${n}` }, { session })
  await memory.commit({ text: 'staging|port=8080' }, { session })
  await correcting
  const { hits, superseded } = await memory.recall('staging port', { session, history: true })
  expect(hits.map(hit => hit.text)).toEqual(['staging|port=9090'])
  expect(superseded.map(one => one.text)).toEqual(['staging|port=8080'])
  await host.stop()
})
