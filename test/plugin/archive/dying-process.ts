/** A host on a home that is killed when its archived turn is about to be handed to the worker. `HOME MODEL_URL WORDS` */
import * as plugin from '../../../src/plugin/index.ts'
import { WorkerReadModel } from '../../../src/readmodels/index.ts'
import { bootHost } from '../../support/host.ts'

const [home = '', model = '', words = ''] = process.argv.slice(2)
const host = await bootHost({ home, model })
await host.mount(plugin, {})
const agent = await host.createAgent({ sessionId: 'dying', cwd: home })
WorkerReadModel.prototype.supply = async () => {
  await host.flush(agent)
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
}
await host.runTurn(agent, words)
