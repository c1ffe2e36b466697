/** Memory after detaching, with the real plugin: nothing of it is gone, only at home elsewhere. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { detach } from '../../../src/logs/detach/index.ts'
import { dumpLines } from '../../../src/readmodels/dump.ts'
import { Store } from '../../../src/readmodels/worker/store.ts'
import { agentIn, injectedIn, recalledIn, rig } from '../../plugin/rig.ts'
import { withoutTexts } from '../../support/dumps.ts'
import { readStoredEvents, stockOpen, tempDir } from '../../support/logs.ts'
import { QUIET, rest } from './sessions.ts'

/** The dump of a database made anew from journal and logs, or one of them. */
async function rebuilt(journal: string, roots: readonly string[]): Promise<string[]> {
  const store = new Store({ path: join(tempDir(), 'memory.db'), journal, keepJournal: true })
  try {
    await store.catchUp(roots)
    return [...dumpLines(store.database)]
  } finally {
    store.close()
  }
}

it.each([true, false])('a rebuild gives the identical dump, with the journal there before: %s', async kept => {
  const { host, server, memory } = await rig()
  const agent = await agentIn(host)
  server.push(
    { toolCalls: [{ name: 'stablemem_commit', arguments: { text: 'staging listens on port 6543' } }] },
    { text: 'noted' },
  )
  await host.runTurn(agent, 'remember the staging port')
  const other = await agentIn(host)
  await host.runTurn(other, 'which port does staging listen on?')
  expect(recalledIn(server).join('')).toContain('6543')
  await memory.commit({ text: '端口 8080 属于测试环境' }, { session: other.session })
  const live = (await memory.stats()).journal
  await host.stop()
  const roots = [host.sessionsRoot]
  const before = await rebuilt(live, roots)
  expect(before.length).toBeGreaterThan(5)

  await rest(host.sessionsRoot)
  const journal = kept ? live : join(tempDir(), 'journal')
  const results = await detach({ roots, journal, apply: QUIET })
  expect(results).toMatchObject([{ status: 'applied' }, { status: 'applied' }])
  const secured = results.reduce((sum, result) => sum + ('secured' in result ? result.secured : 0), 0)
  // what the plugin acknowledged is in its journal already
  expect(secured > 0).toBe(!kept)

  expect(await rebuilt(journal, roots)).toEqual(before)
  expect(before.some(line => line.startsWith('["page part"'))).toBe(true)
  expect(await rebuilt(journal, [])).toEqual(withoutTexts(before.join('\n')).split('\n'))
  // the logs alone hold nothing of it any more
  expect(await rebuilt(join(tempDir(), 'none'), roots)).toEqual([])
  // what the model was shown stays in the conversation
  expect(injectedIn(await readStoredEvents(host.sessionsRoot, other.session.id))).toHaveLength(1)
  for (const { session } of [agent, other]) {
    expect(await stockOpen(host.sessionsRoot, 'zstd', session.id)).toMatchObject({ ok: true })
  }
})
