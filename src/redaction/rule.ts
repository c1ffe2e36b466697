/** A stretch of a text that must not be kept: `[start, end)` in UTF-16 units, and what it is. */
export interface Span {
  readonly start: number
  readonly end: number
  readonly kind: string
}

/** One way to find secrets. `find` must take time linear in the text; spans may overlap and come in any order. */
export interface Rule {
  /** Every kind it may report. */
  readonly kinds: readonly string[]
  find(text: string): Iterable<Span>
}

/** The rules in force. Where spans of several rules overlap, the earlier rule names what was removed. */
export interface RedactionRules {
  readonly rules: readonly Rule[]
  /** Every kind a marker of these rules may name. */
  readonly kinds: ReadonlySet<string>
}

export function ruleSet(rules: readonly Rule[]): RedactionRules {
  return { rules, kinds: new Set(rules.flatMap(({ kinds }) => kinds)) }
}
