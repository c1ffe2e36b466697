import { isPlaceholder } from './assignment/placeholder.ts'
import type { Rule, Span } from './rule.ts'

/** Where the part of an address before its path may end; quotes and what belongs to prose end it too. */
const AUTHORITY = /[^\s"'`<>|\\\u3000-\u303f\uff00-\uffef]{1,1024}/y

/** Parameters whose value is as good as a password. */
const SIGNED =
  /[?&;](?:X-Amz-Signature|X-Amz-Security-Token|X-Goog-Signature|Signature|sig|q-signature|OSSAccessKeySignature)=([A-Za-z0-9%+/=_.-]{20,})/gi

/**
 * Addresses that carry a password: only the password goes, so that host, user and database stay recallable. And the
 * signature of addresses that are signed for a while.
 */
export const urlRule: Rule = {
  kinds: ['url_password', 'url_signature'],
  *find(text): Generator<Span> {
    for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
      const strict = /(?:https?|wss?|git|ssh)$/i.test(text.slice(Math.max(0, at - 5), at))
      const span = passwordBehind(text, at + 3, strict)
      if (span !== undefined && /[A-Za-z0-9]/.test(text[at - 1] ?? '')) yield span
    }
    if (!/[Ss]ig/.test(text) && !text.includes('Security-Token')) return
    for (const { index, 0: whole, 1: value = '' } of text.matchAll(SIGNED)) {
      const end = index + whole.length
      yield { start: end - value.length, end, kind: 'url_signature' }
    }
  },
}

/**
 * The password of the address that goes on at `from`. Passwords are not always escaped: in addresses that are not for a
 * browser (`strict` is off) they may hold `/`, `?` and `#`, and always `@`.
 */
function passwordBehind(text: string, from: number, strict: boolean): Span | undefined {
  AUTHORITY.lastIndex = from
  const run = AUTHORITY.exec(text)?.[0] ?? ''
  const colon = run.search(/[:@/?#]/)
  if (colon < 0 || run[colon] !== ':') return undefined
  const rest = run.slice(colon + 1)
  // A number up to a slash is a port.
  if (/^\d{0,5}(?:[/?#,;:)\]}]|$)/.test(rest)) return undefined
  const path = rest.search(/[/?#]/)
  const authority = path < 0 ? rest : rest.slice(0, path)
  const at = Math.max(authority.lastIndexOf('@'), strict ? -1 : lastHost(rest))
  const password = rest.slice(0, Math.max(at, 0))
  if (password === '' || isPlaceholder(password) || NAMES.test(password)) return undefined
  const start = from + colon + 1
  return { start, end: start + at, kind: 'url_password' }
}

/** The last `@` that a host follows, and then a path or nothing; -1 when another address begins before it. */
function lastHost(rest: string): number {
  let last = -1
  for (const { index } of rest.matchAll(/@[\w.-]{1,200}(?::\d{1,5})?(?=[/?#,]|$)/g)) last = index
  return rest.slice(0, Math.max(last, 0)).includes('://') ? -1 : last
}

/** What documentation writes there. */
const NAMES =
  /^(?:password|passwd|pass|pwd|pw|secret|token|senha|密码)$|^[A-Z]+(?:_[A-Z]+)+$|^(?:PASSWORD|PASS|PWD|SECRET|TOKEN)$/i
