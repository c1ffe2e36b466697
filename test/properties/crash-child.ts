/**
 * A host that commits until it is killed. It says on stdout what it is about to ask for (`want`) and what was acknowledged
 * (`safe`): the parent's only knowledge of it.
 */
import { writeSync } from 'node:fs'
import * as plugin from '../../src/plugin/index.ts'
import { bootHost } from '../support/host.ts'

const [home = '', compression = 'zstd', round = '0'] = process.argv.slice(2)
const host = await bootHost({ home, compression: compression === 'none' ? 'none' : 'zstd' })
await host.mount(plugin, {})
const stored = await host.ctx.sessionPersistence.list()
const known = stored.map(header => String(header.id))
const agents = []
for (const id of ['left', 'right']) {
  agents.push(known.includes(id) ? await host.resumeAgent(id) : await host.createAgent({ sessionId: id, cwd: home }))
}

// Written at once, so that a kill takes no line with it.
const say = (word: string, text: string) => writeSync(1, `${word} ${text}\n`)

for (let n = 0; ; n++) {
  const agent = agents[n % agents.length]
  if (agent === undefined) break
  // Two at a time, and now and then a text that was said in another round.
  const texts = [`fact ${round}-${n} about port ${8_000 + n}`, `fact shared ${n % 7}`]
  await Promise.all(
    texts.map(async text => {
      say('want', text)
      await host.ctx.stablemem.commit({ text }, { session: agent.session })
      say('safe', text)
    }),
  )
  if (n % 3 === 0) await host.flush(agent)
}
