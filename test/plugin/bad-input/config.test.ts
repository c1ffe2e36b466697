import { beforeAll, describe, expect, it } from 'vitest'
import * as plugin from '../../../src/plugin/index.ts'
import type { Host } from '../../support/host.ts'
import { agentIn, boot, memoryOf } from '../rig.ts'

let host: Host

beforeAll(async () => {
  const started = await boot({ keep: true })
  host = started.host
})

async function refusal(config: unknown): Promise<string> {
  const error: unknown = await host.mount({ ...plugin }, config).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error === undefined) throw new Error('the configuration was taken')
  return error instanceof Error ? error.message : String(error)
}

describe('configuration', () => {
  it.each([
    [{ topk: 5 }, 'topk', 'topK'],
    [{ embeddings: {} }, 'embeddings', 'toolName'],
    [{ recall: { scopes: 'all' } }, 'recall.scopes', 'scope, floor'],
    [{ injection: { tokens: 1 } }, 'injection.tokens', 'turnTokens'],
    [{ subagents: { Write: true } }, 'subagents.Write', 'write'],
  ])(
    'a setting there is not is told once, beside those there are, and costs nobody their memory: %j',
    async (config, named, known) => {
      const before = host.logs.length
      const fiber = await host.mount({ ...plugin }, config)
      const told = host.logs.slice(before).filter(({ type }) => type === 'error')
      expect(told).toHaveLength(1)
      expect(told[0]?.text).toContain(`\`${named}\``)
      expect(told[0]?.text).toContain(known)
      expect((await memoryOf(host).stats()).path.startsWith(host.home)).toBe(true)
      await fiber.dispose()
    },
  )

  it.each([
    [{ topK: 'many' }],
    [{ topK: 0 }],
    [{ topK: 2.5 }],
    [{ topK: 101 }],
    [{ inject: 'yes' }],
    [{ path: 7 }],
    [{ namespace: {} }],
    [{ toolName: 'Bad Name' }],
    [{ toolName: '' }],
    [{ maxBytes: 1 }],
    [{ maxBytes: 1e9 }],
    [{ recall: { scope: 'everything' } }],
    [{ recall: { floor: 2 } }],
    [{ recall: 'all' }],
    [{ injection: { deadlineMs: -1 } }],
    [{ injection: { turnTokens: Number.NaN } }],
    [{ subagents: { write: 1 } }],
    [{ redaction: { patterns: [{ name: 'x', pattern: '(' }] } }],
  ])('a value that cannot be is refused: %j', async config => {
    expect((await refusal(config)).length).toBeGreaterThan(5)
  })

  it('a refused one leaves nothing behind: the host runs turns, and the right one is taken after it', async () => {
    await refusal({ topK: 'many' })
    expect(host.ctx.get('stablemem') === undefined).toBe(true)
    expect(host.ctx.tools.get('stablemem_recall')).toBeUndefined()
    const events = await host.runTurn(await agentIn(host), 'hi')
    expect(events.at(-1)).toMatchObject({ data: { reason: { kind: 'completed' } } })
    const fiber = await host.mount({ ...plugin }, { topK: 5 })
    expect(await memoryOf(host).commit({ text: 'the lamp is on' })).toMatchObject({ created: true })
    await fiber.dispose()
  })

  it('a step waits 400 ms for memory, and everything else has a default too', () => {
    expect(plugin.Config({} as plugin.Config)).toMatchObject({
      injection: { deadlineMs: 400, turnTokens: 1_200 },
      namespace: 'project',
      inject: true,
      recall: { scope: 'namespace' },
      subagents: { write: false },
    })
  })

  it('none is needed', async () => {
    const fiber = await host.mount({ ...plugin })
    expect((await memoryOf(host).stats()).path.startsWith(host.home)).toBe(true)
    await fiber.dispose()
  })
})
