/** Every tool's answer, in full, against the schema it declares: nothing is missing, nothing is more. */
import { type ToolDefinition, validateJsonSchemaValue } from '@deepseek-ai/dsh-tools'
import { beforeAll, describe, expect, it } from 'vitest'
import { blockId } from '../../../src/events/index.ts'
import { agentIn, rig } from '../rig.ts'
import { callTool, outputOf } from './call.ts'

type Json = Readonly<Record<string, unknown>>

const OLD = 'valve|port=1111'
const NEW = 'valve|port=2222'
const SAME = 'the valve port is 2222'

const answers = new Map<string, Json>()
let tools: ReadonlyMap<string, ToolDefinition>

beforeAll(async () => {
  const { host, memory } = await rig({ keep: true })
  const agent = await agentIn(host)
  for (const text of [OLD, SAME]) await memory.commit({ text }, { session: agent.session })
  const [oldId, newId, sameId] = [OLD, NEW, SAME].map(blockId)
  const calls: ReadonlyArray<readonly [string, object]> = [
    ['commit', { text: NEW, source: 'Ada', scene: 'ops', semanticType: 'setting' }],
    ['recall', { query: 'valve port', history: true, alsoAsk: ['valve'], associate: 2, scope: 'namespace' }],
    ['link', { type: 'mentions', sourceKind: 'block', sourceId: newId, targetKind: 'entity', targetId: 'valve' }],
    ['merge', { keep: newId, drop: sameId, reason: 'the same' }],
    ['history', { id: newId }],
    ['purge', { ids: [oldId], reason: 'asked to' }],
  ]
  for (const [verb, args] of calls) {
    const value = await outputOf<Json>(callTool(host, `stablemem_${verb}`, args, agent))
    answers.set(verb, value)
    if (verb !== 'recall' && verb !== 'history') answers.set(`${verb}, pending`, { ...value, pending: true })
  }
  const refused = await outputOf<Json>(callTool(host, 'stablemem_recall', { query: 'port 9999' }, agent))
  answers.set('recall, refused', refused)
  tools = new Map(
    [...answers.keys()].flatMap(name => {
      const tool = host.ctx.tools.get(`stablemem_${name.split(',')[0]}`)
      return tool === undefined ? [] : [[name, tool] as const]
    }),
  )
})

const NAMES = [
  ...['commit', 'link', 'merge', 'purge'].flatMap(verb => [verb, `${verb}, pending`]),
  'recall',
  'recall, refused',
  'history',
]
/** What an answer may do without. */
const OPTIONAL = new Set(['pending', 'notice'])

function problems(name: string, value: unknown): number {
  const schema = tools.get(name)?.output.schema
  if (schema === undefined) throw new Error(`there is no ${name}`)
  return validateJsonSchemaValue(schema, value).length
}

/** Every object in an answer, as the answer would be with another in its place. */
function* objectsIn(
  value: unknown,
  whole: (inner: unknown) => unknown,
): Generator<[Json, (inner: unknown) => unknown]> {
  if (Array.isArray(value)) {
    for (const [at, one] of value.entries()) yield* objectsIn(one, inner => whole(value.with(at, inner)))
  } else if (typeof value === 'object' && value !== null) {
    const object = value as Json
    yield [object, whole]
    for (const [key, one] of Object.entries(object)) {
      if (key !== 'skipped') yield* objectsIn(one, inner => whole({ ...object, [key]: inner }))
    }
  }
}

describe('the answers of the tools', () => {
  it('are those of this test, and full: the recall has hits, places and what was replaced', () => {
    expect([...answers.keys()].sort()).toEqual([...NAMES].sort())
    const recall = answers.get('recall') as unknown as Record<string, unknown[]>
    expect([recall.hits?.length, recall.superseded?.length]).toEqual([2, 1])
    const history = answers.get('history') as unknown as { entries: unknown[] }
    expect(history.entries.length).toBeGreaterThan(2)
  })

  it.each(NAMES)('%s: what it gives is what it declares', name => {
    expect(problems(name, answers.get(name))).toBe(0)
  })

  it.each(NAMES)('%s: less, more or another type is not', name => {
    let objects = 0
    for (const [object, whole] of objectsIn(answers.get(name), inner => inner)) {
      objects += 1
      expect([object, problems(name, whole({ ...object, foreign: 1 }))]).toEqual([object, 1])
      for (const key of Object.keys(object)) {
        const { [key]: _, ...less } = object
        expect([key, problems(name, whole(less))]).toEqual([key, OPTIONAL.has(key) ? 0 : 1])
        expect([key, problems(name, whole({ ...object, [key]: { odd: [] } })) > 0]).toEqual([key, key !== 'skipped'])
      }
    }
    expect(objects).toBeGreaterThan(0)
  })

  it.each(['commit', 'recall', 'link', 'merge', 'purge', 'history'])(
    '%s: every parameter and every part of it is described, and an argument it does not have is named',
    async name => {
      const tool = tools.get(name)
      const parameters = tool?.parameters as { properties: Record<string, { description?: string }> }
      for (const [key, { description }] of Object.entries(parameters.properties)) {
        expect([key, (description ?? '').length > 10]).toEqual([key, true])
      }
      expect(parameters).toMatchObject({ additionalProperties: false })
      const odd = tool?.execute({ top_k: 3, ids: 7 }, {} as never)
      await expect(odd).rejects.toThrow(/there is no "top_k"/)
      await expect(odd).rejects.toThrow(Object.keys(parameters.properties).join(', '))
    },
  )

  it('only what reads may run beside other calls', () => {
    const safe = (name: string, args: object) => tools.get(name)?.isConcurrencySafe?.(args) === true
    expect([safe('recall', { query: 'x' }), safe('history', { id: 'x' })]).toEqual([true, true])
    expect([safe('commit', { text: 'x' }), safe('purge', { ids: ['x'], reason: 'x' })]).toEqual([false, false])
  })
})
