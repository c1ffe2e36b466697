/** The rules of the cold layer, and `src` with one of them broken each. */
import { afterAll, describe, expect, it } from 'vitest'
import { removeTempDirs } from '../support/temp.ts'
import { checked, type Mutation } from './mutants.ts'

afterAll(removeTempDirs)

const SAID = 'events/said.ts'
const MUTATIONS: ReadonlyArray<readonly [what: string, rules: readonly string[], mutation: Mutation]> = [
  [
    'pages with a forgotten text are shown',
    ['withheld by its text'],
    {
      file: 'readmodels/cold/withheld.ts',
      from: 'wordings.length > 0 && finder.isIn(text)',
      to: 'wordings.length < 0',
    },
  ],
  [
    'pages that a purge names are shown',
    ['withheld by name'],
    { file: 'readmodels/cold/withheld.ts', from: 'named.get(ns, doc, page) !== undefined ||', to: '' },
  ],
  [
    'withheld pages are counted and shown',
    ['withheld by its text', 'withheld by name'],
    { file: 'readmodels/cold/search.ts', from: 'withheld += 1\n    else pages', to: 'withheld += 1\n    pages' },
  ],
  [
    'own recalls are archived',
    ['own recalls'],
    { file: 'commands/archive.ts', from: "one.kind === 'call' && !isOwnTool(one.tool)", to: "one.kind === 'call'" },
  ],
  [
    'a summary is taken for the human’s words',
    ['what was said'],
    { file: SAID, from: "surfaceOp !== 'append' || record(source)", to: 'record(source)' },
  ],
  [
    'context is taken for the human’s words',
    ['what was said'],
    { file: SAID, from: "record(source).kind !== 'user' ||", to: '' },
  ],
  [
    'a replaced answer was said',
    ['what was said'],
    {
      file: SAID,
      from: "const { id, content } = record(message)\n    if (surfaceOp !== 'append' || !isId(id))",
      to: 'const { id, content } = record(message)\n    if (!isId(id))',
    },
  ],
  [
    'a replaced result was said',
    ['what was said'],
    { file: SAID, from: "surfaceOp !== 'append' || !isId(block.toolCallId)", to: '!isId(block.toolCallId)' },
  ],
  [
    'a call stands without its result',
    ['calls with results'],
    { file: 'readmodels/cold/parts.ts', from: 'if (result === undefined) continue', to: 'continue' },
  ],
  [
    'what was put before the model counts as asked for',
    ['asked on purpose'],
    { file: 'readmodels/cold/read.ts', from: "WHERE doc = ? AND mode <> 'inject'", to: 'WHERE doc = ?' },
  ],
  [
    'a gap counts whole',
    ['gaps are clamped'],
    {
      file: 'readmodels/cold/due.ts',
      from: 'clock += Math.min(Math.max(0, time - wall), longest)',
      to: 'clock += Math.max(0, time - wall)',
    },
  ],
]

describe('the rules of the cold layer', () => {
  it('are kept by src as it is', async () => {
    expect(await checked(undefined, 'cold.ts', '')).toEqual({})
  }, 120_000)

  it.each(MUTATIONS)(
    'are broken where %s',
    async (_, rules, mutation) => {
      expect(Object.keys(await checked(mutation, 'cold.ts', ''))).toEqual(rules)
    },
    120_000,
  )
})
