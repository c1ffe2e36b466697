/** A process that is killed between a turn's event and its text leaves the text in the stored log: whoever starts next reads it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { memoryPaths } from '../../../src/logs/index.ts'
import { Store } from '../../../src/readmodels/worker/store.ts'
import { dump } from '../../readmodels/projector/folding.ts'
import { startModelServer } from '../../support/model-server.ts'
import { agentIn, rig } from '../rig.ts'
import { callTool, outputOf } from '../tools/call.ts'

const SAID = 'The codename of the release is Kestrel, and it goes out on Tuesday at two.'
const child = fileURLToPath(new URL('./dying-process.ts', import.meta.url))

it('beside a process that lives, and after the next start', async () => {
  const living = await rig()
  const { home } = living.host
  const server = await startModelServer([{ text: 'Understood, on Tuesday.' }])
  try {
    const dying = spawn(process.execPath, [child, home, server.baseURL, SAID], { stdio: 'ignore' })
    const [, signal] = (await once(dying, 'exit')) as [number, string]
    expect(signal).toBe('SIGKILL')
    // The one that lives knows that nothing was told it, and answers.
    const asker = await agentIn(living.host)
    const query = (host = living.host, agent = asker) =>
      outputOf<{ pages: unknown[] }>(callTool(host, 'coldcontext_query', { query: 'Kestrel release codename' }, agent))
    expect((await query()).pages).toEqual([])
    const next = await rig({ home })
    const agent = await agentIn(next.host)
    const end = performance.now() + 10_000
    let found = await query(next.host, agent)
    while (found.pages.length === 0 && performance.now() < end) found = await query(next.host, agent)
    expect(JSON.stringify(found)).toContain(SAID)
    // Both work on one file: now the other has it too.
    expect(JSON.stringify(await query())).toContain(SAID)
    await next.host.stop()
    await living.host.stop()
    const paths = memoryPaths({}, home)
    const [live, fresh] = [
      new Store({ ...paths, keepJournal: true }),
      new Store({ ...paths, path: ':memory:', keepJournal: true }),
    ]
    await fresh.catchUp([next.host.sessionsRoot])
    const documents = (one: Store) =>
      dump(one.database)
        .split('\n')
        .filter(line => /^\["(document|page part)"/.test(line))
    expect(documents(fresh)).toEqual(documents(live))
    live.close()
    fresh.close()
  } finally {
    await server.close()
  }
})
