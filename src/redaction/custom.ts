import { RE2JS } from 're2js'
import { CommandRefusedError, reasonOf } from '../events/index.ts'
import { BadPatternError, type CustomPattern, checkPattern } from './pattern.ts'
import type { Rule, Span } from './rule.ts'

export const MAX_PATTERNS = 50
/** Largest compiled program, in instructions: what one step over a character costs at most. */
const MAX_PROGRAM = 600
/** Most time for the patterns together, for each 64 KiB of text, in milliseconds. */
const BUDGET_MS = 500
/** Most time for one of the texts that a pattern is tried on at load, in milliseconds. */
const TRIAL_MS = 1_000
const FLAGS: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
}

/**
 * Makes a rule of each pattern. They run on an engine without backtracking, so one pass over a text is linear by
 * construction; what remains, many passes, is tried here and bounded at run time. Throws `BadPatternError`.
 */
export function customRules(patterns: readonly CustomPattern[]): Rule[] {
  if (patterns.length > MAX_PATTERNS) {
    throw new BadPatternError(
      `redaction.patterns has ${patterns.length} patterns, and ${MAX_PATTERNS} may be; join some`,
    )
  }
  const names = new Set<string>()
  return patterns.map((pattern, index) => {
    const where = `redaction.patterns[${index}]`
    checkPattern(pattern, where)
    if (names.has(pattern.name))
      throw new BadPatternError(`${where}: the name "${pattern.name}" is taken; choose another`)
    names.add(pattern.name)
    const rule = new CustomRule(pattern, where)
    rule.tryOut(where)
    return rule
  })
}

class CustomRule implements Rule {
  readonly kinds: readonly string[]
  private readonly name: string
  private readonly compiled: RE2JS
  private readonly group: string | undefined

  constructor({ name, pattern, flags = '' }: CustomPattern, where: string) {
    this.name = name
    this.kinds = [name]
    this.compiled = compile(pattern, flags, where)
    this.group = Object.hasOwn(this.compiled.namedGroups(), 'secret') ? 'secret' : undefined
    if (this.compiled.programSize() > MAX_PROGRAM) {
      throw new BadPatternError(
        `${where} ("${name}") is too large: ${this.compiled.programSize()} steps, and ${MAX_PROGRAM} may be; lower its counts ({n,m})`,
      )
    }
  }

  find(text: string): Span[] {
    const budget = BUDGET_MS * Math.ceil((text.length + 1) / 65_536)
    const spans = this.within(text, budget)
    if (spans !== undefined) return spans
    throw new CommandRefusedError(
      'not_redacted',
      `the redaction pattern "${this.name}" took more than ${budget} ms on this text, so nothing was kept; simplify the pattern, or split the text`,
    )
  }

  /** Throws when the pattern matches nothing at all, or is slow on a text of one letter or of words. */
  tryOut(where: string): void {
    if (this.matchesEmpty()) {
      throw new BadPatternError(
        `${where} ("${this.name}") matches the empty string; let it need one character at least`,
      )
    }
    for (const text of TRIALS) {
      if (this.within(text, TRIAL_MS) === undefined) {
        throw new BadPatternError(
          `${where} ("${this.name}") takes more than ${TRIAL_MS} ms for ${text.length} characters; let it begin with something fixed, and bound its repetitions`,
        )
      }
    }
  }

  private matchesEmpty(): boolean {
    return ['', 'a b', '你 1'].some(text => {
      const matcher = this.compiled.matcher(text)
      while (matcher.find()) if (matcher.end() === matcher.start()) return true
      return false
    })
  }

  /** Undefined when the time is over. */
  private within(text: string, budget: number): Span[] | undefined {
    const deadline = performance.now() + budget
    const matcher = this.compiled.matcher(text)
    const spans: Span[] = []
    while (matcher.find()) {
      const group = this.group === undefined ? 0 : this.group
      const [start, end] = [matcher.start(group), matcher.end(group)]
      if (start >= 0 && end > start) spans.push({ start, end, kind: this.name })
      if (performance.now() > deadline) return undefined
    }
    return performance.now() > deadline ? undefined : spans
  }
}

const TRIALS: readonly string[] = ['a'.repeat(16_384), 'ab c1-2.'.repeat(2_048), '密码 key=Ab9_'.repeat(1_260)]

function compile(pattern: string, flags: string, where: string): RE2JS {
  try {
    return RE2JS.compile(
      RE2JS.translateRegExp(pattern),
      [...flags].reduce((bits, flag) => bits | (FLAGS[flag] ?? 0), 0),
    )
  } catch (error) {
    const reason = reasonOf(error)
    throw new BadPatternError(
      `${where} is not a pattern that can be used: ${reason}. The syntax is RE2's: no look-around, no back references; a group (?P<secret>…) narrows what is removed`,
      { cause: error },
    )
  }
}
