import type fs from 'node:fs'
import fc from 'fast-check'
import { it, vi } from 'vitest'
import { carried } from './carried.ts'
import { oneMemory } from './in-memory.ts'

vi.mock('node:fs', async importOriginal => ({ ...(await importOriginal<typeof fs>()), fsyncSync: () => {} }))
it('x', async () => {
  let cpu = 0,
    wall = 0
  const run = async (carry: boolean) => {
    const c0 = process.cpuUsage(),
      w0 = performance.now()
    await fc.assert(
      oneMemory({}, async (shelf, { seed }) => {
        if (!carry) return []
        const c = process.cpuUsage(),
          w = performance.now()
        const out = Object.values(await carried(shelf, seed))
        const d = process.cpuUsage(c)
        cpu += d.user + d.system
        wall += performance.now() - w
        return out
      }),
      { numRuns: 100, seed: 5 },
    )
    const d = process.cpuUsage(c0)
    console.log(carry, 'cpu', (d.user + d.system) / 1e6, 'wall', (performance.now() - w0) / 1e3)
  }
  await run(false)
  await run(true)
  await run(false)
  await run(true)
  console.log('carried per run ms cpu', cpu / 2e5, 'wall', wall / 200)
}, 300000)
