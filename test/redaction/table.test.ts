import { describe, expect, it } from 'vitest'
import { BUILT_IN_RULES, redact } from '../../src/redaction/index.ts'
import { readLine } from './made.ts'
import { MUST_KEEP } from './must-keep.ts'
import { MUST_REDACT } from './must-redact.ts'

const short = (line: string) => line.replace(/\s+/g, ' ').slice(0, 80)

describe('what must go', () => {
  it.each(MUST_REDACT.map(line => [short(readLine(line).kept), line] as const))('%s', (_, marked) => {
    const { brought, kept, secrets, kinds } = readLine(marked)
    const once = redact(brought, BUILT_IN_RULES)
    expect(once.text).toBe(kept)
    expect(once.kinds).toEqual(kinds)
    for (const secret of secrets) expect(once.text).not.toContain(secret)
    expect(redact(once.text, BUILT_IN_RULES)).toEqual({ text: once.text, kinds: [] })
  })
})

describe('what must stay', () => {
  it.each(MUST_KEEP.map(line => [short(line), line] as const))('%s', (_, line) => {
    expect(redact(line, BUILT_IN_RULES)).toEqual({ text: line, kinds: [] })
  })
})

describe('the table', () => {
  const chinese = (lines: readonly string[]) => lines.filter(line => /[\u3400-\u9fff]/.test(line)).length

  it('is large enough, and in both languages', () => {
    expect(new Set(MUST_REDACT).size).toBeGreaterThanOrEqual(150)
    expect(new Set(MUST_KEEP).size).toBeGreaterThanOrEqual(150)
    expect(chinese(MUST_REDACT)).toBeGreaterThanOrEqual(45)
    expect(chinese(MUST_KEEP)).toBeGreaterThanOrEqual(45)
  })

  it('stays when all of it is one text', () => {
    const text = MUST_KEEP.join('\n')
    expect(redact(text, BUILT_IN_RULES).text).toBe(text)
  })

  it('goes when all of it is one text', () => {
    const lines = MUST_REDACT.map(readLine)
    const { text } = redact(lines.map(({ brought }) => brought).join('\n\n'), BUILT_IN_RULES)
    expect(text).toBe(lines.map(({ kept }) => kept).join('\n\n'))
  })
})
