/** What READMEs say of settings and commands is what there is, in both languages. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.ts'
import { VERBS } from '../../src/events/names.ts'
import { Config } from '../../src/plugin/config.ts'
import { help } from '../../src/plugin/slash/actions.ts'

interface Schema {
  readonly dict?: Readonly<Record<string, Schema>>
  readonly meta?: { readonly default?: unknown; readonly min?: number; readonly max?: number }
}

/** Every setting by its name: its schema. */
function settings(schema: Schema, path = ''): Map<string, Schema> {
  if (schema.dict === undefined) return new Map([[path, schema]])
  return new Map(
    Object.entries(schema.dict).flatMap(([key, next]) => [...settings(next, path === '' ? key : `${path}.${key}`)]),
  )
}

const ALL = settings(Config as unknown as Schema)
const readme = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')

/** Rows of the table of settings: name, default, words. */
function rows(text: string): Map<string, readonly [standard: string, words: string]> {
  const found = text.matchAll(/^\| `([\w.]+)` \| (.*?) \| (.*) \|$/gm)
  return new Map([...found].flatMap(([, name = '', standard = '', words = '']) => [[name, [standard, words] as const]]))
}

describe.each(['README.md', 'README.zh.md'])('%s', name => {
  const text = readme(name)
  const table = rows(text)

  it('lists every setting there is, and no other', () => {
    expect([...table.keys()].sort()).toEqual([...ALL.keys()].sort())
  })

  it.each([...ALL.keys()])('says what `%s` is by default, and between which numbers it may be', key => {
    const { default: standard, min, max } = ALL.get(key)?.meta ?? {}
    const [shown = '', words = ''] = table.get(key) ?? []
    if (standard !== undefined && !Array.isArray(standard)) expect(shown.replaceAll('`', '')).toBe(String(standard))
    if (max !== undefined) expect(words).toMatch(new RegExp(`\\b${min ?? 0} (to|到) ${max}\\b`))
  })

  it('shows every command', () => {
    for (const command of Object.keys(COMMANDS)) expect(text).toMatch(new RegExp(`^dsh-hologram ${command} `, 'm'))
  })

  it('shows every command a human can type to the host, and every kind of event', () => {
    const [, slash = ''] = /^### `\/memory`\n([\s\S]*?)\n##/m.exec(text) ?? []
    const verbs = [...help('memory').matchAll(/^\/memory (\S+)/gm)].map(([, verb]) => verb)
    expect(verbs).toContain('search')
    for (const verb of verbs) expect(slash).toMatch(new RegExp(`\`(?:/memory )?${verb}\\b`))
    const places = text.split('\n').filter(line => line.startsWith('| `$DSH_HOME/'))
    for (const verb of VERBS) expect(places.join('\n')).toMatch(new RegExp(`\`(?:hologram/)?${verb}\``))
  })
})

it.each(Object.entries(COMMANDS))('the help of %s names every option of its own', (_, { usage, takes }) => {
  const calls = usage.map(([call]) => call).join('\n')
  for (const option of takes) expect(calls).toContain(`--${option}`)
})
