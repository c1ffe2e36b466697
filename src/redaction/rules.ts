import { accountRule } from './assignment/account.ts'
import { assignmentRule } from './assignment/assignment.ts'
import { commandRule } from './assignment/command.ts'
import { authorizationRule } from './authorization.ts'
import { customRules } from './custom.ts'
import { jwtRule } from './jwt.ts'
import { pairRules } from './pair.ts'
import type { CustomPattern } from './pattern.ts'
import { pemRule } from './pem.ts'
import { type RedactionRules, type Rule, ruleSet } from './rule.ts'
import { CLOUD_TOKENS } from './tokens/cloud.ts'
import { CODE_TOKENS } from './tokens/code.ts'
import { MODEL_TOKENS } from './tokens/models.ts'
import { SERVICE_TOKENS } from './tokens/services.ts'
import { tokenRules } from './tokens/token.ts'
import { urlRule } from './url.ts'
import { webhookRule } from './webhook.ts'

/** `redaction` in the settings. */
export interface RedactionSettings {
  readonly enabled: boolean
  /** Beside the built-in rules. Where both find something, the user's own name it. */
  readonly patterns: readonly CustomPattern[]
}

/** From the most to the least telling: whose finds overlap are named by the first. */
const BUILT_IN: readonly Rule[] = [
  pemRule,
  ...tokenRules([...MODEL_TOKENS, ...CODE_TOKENS, ...CLOUD_TOKENS, ...SERVICE_TOKENS]),
  ...pairRules,
  webhookRule,
  authorizationRule,
  jwtRule,
  urlRule,
  assignmentRule,
  accountRule,
  commandRule,
]

const NONE = ruleSet([])
const made = new WeakMap<RedactionSettings, RedactionRules>()
/** The rules where there are no settings. */
export const BUILT_IN_RULES = ruleSet(BUILT_IN)

/**
 * The rules that settings ask for, made once for an object of settings. Throws `BadPatternError` for a pattern that
 * cannot be used, even when redaction is off.
 */
export function rulesFor(settings: RedactionSettings | undefined): RedactionRules {
  if (settings === undefined) return BUILT_IN_RULES
  const known = made.get(settings)
  if (known !== undefined) return known
  const custom = customRules(settings.patterns)
  const rules = settings.enabled ? ruleSet([...custom, ...BUILT_IN]) : NONE
  made.set(settings, rules)
  return rules
}
