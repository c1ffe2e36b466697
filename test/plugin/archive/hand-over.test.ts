/** What a harness hands to the worker: the last turn before it ends, without what the user's own patterns take out. */
import { expect, it } from 'vitest'
import { memoryPaths } from '../../../src/logs/index.ts'
import { Store } from '../../../src/readmodels/worker/store.ts'
import { agentIn, rig } from '../rig.ts'

const patterns = [{ name: 'codename', pattern: 'BLUEBIRD-\\d+' }]
const SAID = 'The codename of the release is BLUEBIRD-77, and it goes out on Tuesday at two.'

it('the text of the last turn is there when the harness ends right after it, redacted as its settings say', async () => {
  const { host } = await rig({
    config: { redaction: { enabled: true, patterns } },
    answers: [{ text: 'Understood, on Tuesday.' }],
  })
  await host.runTurn(await agentIn(host), SAID)
  await host.stop()
  const store = new Store({ ...memoryPaths({}, host.home), keepJournal: true })
  try {
    expect(store.stats().documents).toMatchObject({ all: 1, waiting: 0 })
    const doc = store.database.prepare<[], string>('SELECT doc FROM cold_docs').pluck().get() ?? ''
    const text = JSON.stringify(store.document({ doc })?.pages)
    expect(text).toContain('goes out on Tuesday')
    expect(text).not.toContain('BLUEBIRD-77')
    expect(store.database.serialize().toString('latin1')).not.toContain('BLUEBIRD-77')
  } finally {
    store.close()
  }
})
