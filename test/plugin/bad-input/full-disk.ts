/** A host whose memory lies on a disk that gets full and has room again. `DISK`: prints what happened meanwhile as JSON. */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as plugin from '../../../src/plugin/index.ts'
import { bootHost } from '../../support/host.ts'
import { startModelServer, textsOf } from '../../support/model-server.ts'
import { tempDir } from '../../support/temp.ts'

const disk = process.argv.at(-1) ?? ''
const filler = join(disk, 'filler')

/** Leaves no byte free. */
function fill(): void {
  const file = openSync(filler, 'a')
  for (let size = 64 << 10; size > 0; ) {
    try {
      writeSync(file, Buffer.alloc(size))
    } catch {
      size >>= 1
    }
  }
  closeSync(file)
}

const server = await startModelServer([])
const host = await bootHost({ home: disk, sessionsRoot: tempDir(), model: server.baseURL })
await host.mount(plugin, { injection: { deadlineMs: 10_000 } })
const memory = host.ctx.stablemem
const agent = await host.createAgent({ sessionId: 's1', cwd: disk })
await memory.commit({ text: 'the runbook lies in drawer 4324' }, { session: agent.session })

/** A turn in which the model commits, and a question beside it. */
async function turn(text: string) {
  server.push({ toolCalls: [{ name: 'stablemem_commit', arguments: { text } }] }, { text: 'well' })
  const events = await host.runTurn(agent, 'where is the runbook?')
  const { outcome, hits } = await memory.recall('runbook', { session: agent.session })
  return {
    told: textsOf(server.last(), 'tool').at(-1),
    end: events.at(-1)?.data,
    outcome,
    found: hits.map(hit => hit.text),
  }
}

fill()
// Longer than what may be left of the last page of the journal.
const long = 'and so on '.repeat(1_000)
const full = await turn(`the spare key lies in drawer 17 ${long}`)
const unsaid = await memory.commit({ text: `said outside of any session ${long}` }).then(
  () => 'acknowledged',
  (error: Error) => error.message,
)
rmSync(filler)
const after = await turn('the ladder stands in the hall')
// What was not written to the journal is in the session's log, from which the next start takes it.
const later = await memory.recall('ladder hall', { session: agent.session })
for (let n = 0; n < 100 && (await memory.stats()).degraded.length > 0; n++) await pause(50)
const { degraded } = await memory.stats()
await host.stop()
const again = await bootHost({ home: disk, sessionsRoot: host.sessionsRoot, model: server.baseURL })
await again.mount(plugin, { injection: { deadlineMs: 10_000 } })
const next = await again.createAgent({ sessionId: 's2', cwd: disk })
let key = 0
for (let n = 0; n < 100 && key === 0; n++) {
  key = (await again.ctx.stablemem.recall('spare key drawer', { session: next.session })).hits.filter(({ text }) =>
    text.includes('spare key'),
  ).length
  if (key === 0) await pause(50)
}
await again.stop()
await server.close()
console.log(JSON.stringify({ full, unsaid, after, ladder: later.hits[0]?.text, degraded, key }))
