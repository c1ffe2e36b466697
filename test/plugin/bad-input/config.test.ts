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
    [
      { topK: 'many' },
      '`topK` is "many", and must be a whole number from 1 to 100. Correct it, or remove it for the default, 8.',
    ],
    [{ topK: 0 }, '`topK` is 0, and must be a whole number from 1 to 100'],
    [{ topK: 2.5 }, '`topK` is 2.5'],
    [{ topK: 101 }, '`topK` is 101'],
    [{ inject: 'yes' }, '`inject` is "yes", and must be true or false'],
    [{ path: 7 }, '`path` is 7, and must be text'],
    [{ namespace: {} }, '`namespace` is {}, and must be text'],
    [{ namespace: ' ' }, '`namespace` is " "'],
    [{ toolName: 'Bad Name' }, '`toolName` is "Bad Name", and must be text that matches'],
    [{ toolName: '' }, '`toolName` is ""'],
    [{ maxBytes: 1 }, '`maxBytes` is 1, and must be a whole number from 256 to'],
    [{ maxBytes: 1e9 }, '`maxBytes` is 1000000000'],
    [{ recall: { scope: 'everything' } }, '`recall.scope` is "everything", and must be one of session, namespace, all'],
    [{ recall: { floor: 2 } }, '`recall.floor` is 2, and must be a number from 0 to 1'],
    [{ recall: 'all' }, '`recall` is "all", and must be a group of settings: scope, floor. Correct it, or remove it.'],
    [{ injection: { deadlineMs: -1 } }, '`injection.deadlineMs` is -1'],
    [{ injection: { turnTokens: Number.NaN } }, '`injection.turnTokens` is NaN'],
    [{ subagents: { write: 1 } }, '`subagents.write` is 1, and must be true or false'],
    [{ embed: { protocol: 'x' } }, '`embed.protocol` is "x", and must be one of hologram, openai'],
    [{ embed: { apiKey: 424_242 } }, '`embed.apiKey` is of type number (not shown), and must be text'],
    [
      { redaction: { patterns: [{ name: 'x' }] } },
      '`redaction.patterns[0].pattern` is missing, and must be text. Set it.',
    ],
    [{ redaction: { patterns: 'x'.repeat(500) } }, '…, and must be a list'],
    [{ redaction: { patterns: [{ name: 'x', pattern: '(' }] } }, 'pattern'],
    ['topK=8', 'the configuration is "topK=8", and must be a group of settings'],
  ])('a value that cannot be is refused, with its name, what it may be, and what to do: %j', async (config, told) => {
    const message = await refusal(config)
    expect(message).toContain(told)
    expect(message).not.toContain('424242')
    expect(message.length).toBeLessThan(400)
  })

  it('every setting says what it is, for those who set it in a form', () => {
    interface Schema {
      readonly dict?: Readonly<Record<string, Schema>>
      readonly inner?: Schema
      readonly meta?: { readonly description?: unknown }
    }
    const silent = ({ dict, inner, meta }: Schema, path: string): string[] => {
      if (dict !== undefined) return Object.entries(dict).flatMap(([key, next]) => silent(next, `${path}.${key}`))
      const below = inner === undefined ? [] : silent(inner, `${path}[]`)
      return meta?.description === undefined ? [path, ...below] : below
    }
    expect(silent(plugin.Config as unknown as Schema, '')).toEqual([])
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
