/** A second host on the same home: waits until memory holds one fact, then commits another. `HOME COMMIT WAIT_FOR` */
import { setTimeout as pause } from 'node:timers/promises'
import * as hologram from '../../src/plugin/index.ts'
import { bootHost } from '../support/host.ts'

const [home = '', text = '', awaited = ''] = process.argv.slice(2)
const host = await bootHost({ home })
await host.mount(hologram, {})
const { session } = await host.createAgent({ sessionId: 'late', cwd: home })
const memory = host.ctx.stablemem
for (;;) {
  const { hits } = await memory.recall(awaited, { session })
  if (hits.some(hit => hit.text === awaited)) break
  await pause(20)
}
await memory.commit({ text }, { session })
await host.stop()
