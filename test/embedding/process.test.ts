import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { modelFolder } from './support/model-folder.ts'
import { rightHologram, serve } from './support/server.ts'

const run = promisify(execFile)
const ROOM = new URL('../../src/embedding/index.ts', import.meta.url).href
const PEER = new URL('./support/stub-peer.ts', import.meta.url).href

/** What a process prints that embeds one text and then has nothing left to do. */
async function printed(make: string): Promise<string> {
  const script = `
    import { HttpProvider, LocalProvider } from ${JSON.stringify(ROOM)}
    const made = ${make}
    const [result] = await made.embed(['a'], { side: 'document' })
    console.log(result.ok)`
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', script], { timeout: 20_000 })
  return `${stdout}${stderr}`
}

it('a provider that was not closed keeps no process alive, and prints nothing', async () => {
  const { endpoint } = await serve(rightHologram)
  expect(await printed(`new HttpProvider(${JSON.stringify({ endpoint, dimension: 4 })})`)).toBe('true\n')
  const directory = JSON.stringify({ directory: modelFolder() })
  expect(await printed(`new LocalProvider(${directory}, ${JSON.stringify({ peer: PEER })})`)).toBe('true\n')
})
