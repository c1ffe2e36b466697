import * as hologram from '../../src/plugin/index.ts'
import { bootHost } from '../../test/support/host.ts'
import { tempDir } from '../../test/support/temp.ts'
import { fact } from './texts.ts'

const AT_ONCE = 64

/** Time of the last thousand commits of one session against that of the second thousand, and of a checkpoint. */
export async function linearity(commits: number): Promise<string[]> {
  const home = tempDir('bench-linear-')
  const host = await bootHost({ home })
  await host.mount(hologram, {})
  const { session } = await host.createAgent({ sessionId: 'long', cwd: home })
  const thousands: number[] = []
  let n = 0
  for (let done = 0; done < commits; done += 1_000) {
    const start = performance.now()
    for (let from = 0; from < 1_000; from += AT_ONCE) {
      const group = Array.from({ length: Math.min(AT_ONCE, 1_000 - from) }, () =>
        host.ctx.stablemem.commit({ text: fact(n++) }, { session }),
      )
      await Promise.all(group)
    }
    thousands.push(performance.now() - start)
  }
  const checkpoints = Array.from({ length: 20 }, () => {
    const start = performance.now()
    host.ctx.sessionProjections.checkpoint(session)
    return performance.now() - start
  }).sort((a, b) => a - b)
  await host.stop()
  const [, second = Number.NaN] = thousands
  const last = thousands.at(-1) ?? Number.NaN
  return [
    `commits in one session: 2nd thousand ${second.toFixed(0)} ms, last of ${commits} ${last.toFixed(0)} ms, ratio ${(last / second).toFixed(2)}`,
    `checkpoint of all projections after ${commits} ids: ${(checkpoints[10] ?? Number.NaN).toFixed(2)} ms`,
  ]
}
