import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { isEventId, newEventId } from '../../src/events/index.ts'

/** Ids that another thread makes: it starts with a pool of its own. */
function fromThread(count: number): Promise<string[]> {
  const source = `
    import { parentPort } from 'node:worker_threads'
    const { newEventId } = await import(${JSON.stringify(new URL('../../src/events/id.ts', import.meta.url).href)})
    parentPort.postMessage(Array.from({ length: ${count} }, newEventId))`
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`))
  return new Promise((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', reject)
  })
}

describe('event ids', () => {
  it('are well-formed, rise, and never come twice, in one thread or several', async () => {
    const own = Array.from({ length: 20_000 }, newEventId)
    const others = (await Promise.all([fromThread(5_000), fromThread(5_000)])).flat()
    expect([...own, ...others].every(isEventId)).toBe(true)
    expect([...own].sort()).toEqual(own)
    expect(new Set([...own, ...others]).size).toBe(30_000)
  })

  it('use every character in every random place', async () => {
    // A new millisecond draws anew; within one, an id is the last plus one.
    const seen = Array.from({ length: 16 }, () => new Set<string>())
    for (let made = 0; made < 700; made++) {
      const id = newEventId()
      for (const [place, characters] of seen.entries()) characters.add(id.charAt(14 + place))
      await new Promise(resolve => setTimeout(resolve, 1.2))
    }
    for (const characters of seen) expect(characters.size).toBe(32)
  })
})
