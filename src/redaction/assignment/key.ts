/** The names of secrets in code, settings and European prose, and what a value of theirs is called when it is removed. */

export interface KeyClass {
  readonly kind: string
  /** Whether nearly any value is one; otherwise it must look like one, since the word has other uses. */
  readonly strong: boolean
}

/** What may stand between the parts of a compound name. */
const J = '[-_. ]?'

const STRONG = `pass(?:${J}word|wd|phrase|code)|passwd|passwort|pwd|pswd|contraseña|пароль|パスワード|비밀번호`
const KEYED = [
  'api',
  'access',
  'secret',
  'private',
  'signing',
  'encryption',
  'master',
  'account',
  'storage',
  'service',
  'session',
  'client',
  'subscription',
  'webhook',
  'app',
  'license',
  'deploy',
  'admin',
  'root',
  'auth',
  'jwt',
  'server',
  'shared',
].join('|')
const WEAK = `(?:${KEYED})${J}(?:access${J})?key(?:${J}data)?|secret|token|authorization|credentials?|(?<![A-Za-z])(?:pass|pw|psw|auth|jwt|creds|bearer)`

/** A name, with what often hangs on it: `_prod`, `2`. A longer word (`passwords`, `tokenizer`) is another word. */
export const KEY = `(?:${STRONG}|${WEAK})(?:[_-]?(?:\\d{1,2}|prod|production|dev|test|staging|live|old|new|value|plain|text|base64|b64))?(?![A-Za-z0-9])`

const STRONG_ONLY = new RegExp(`^(?:${STRONG})`, 'i')

export function classOf(key: string): KeyClass {
  const name = key.toLowerCase()
  if (STRONG_ONLY.test(name)) return { kind: 'password', strong: true }
  if (/^(?:pass|pw|psw)/.test(name)) return { kind: 'password', strong: false }
  if (/private/.test(name)) return { kind: 'private_key', strong: false }
  if (/^(?:token|jwt|bearer)/.test(name)) return { kind: 'token', strong: false }
  if (name.includes('key')) return { kind: 'api_key', strong: false }
  if (name.includes('secret')) return { kind: 'secret', strong: false }
  return { kind: 'credential', strong: false }
}

/** Every kind that `classOf` gives. */
export const KEY_KINDS = ['password', 'private_key', 'token', 'api_key', 'secret', 'credential'] as const
