/** Made-up secrets. They are put together at run time, so that nothing in this repository looks like a live key. */

export const HEX = '0123456789abcdef'
export const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
export const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
export const BASE64 = `${ALNUM}+/`
export const LOWER = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** A run of `length` characters that looks random and is always the same. */
export function run(length: number, alphabet = ALNUM, seed = 7): string {
  let state = seed * 2_654_435_761
  let out = ''
  while (out.length < length) {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0
    out += alphabet[(state >>> 8) % alphabet.length]
  }
  return out
}

/** Marks the part of a line that must go, and what it is called afterwards. */
export function gone(kind: string, secret: string): string {
  return `⟪${kind}⟫${secret}⟪/⟫`
}

const MARK = /⟪([a-z0-9_]+)⟫([\s\S]*?)⟪\/⟫/g

/** A marked line as it is brought, as it must be kept, and the secrets in it. */
export interface Line {
  readonly brought: string
  readonly kept: string
  readonly secrets: readonly string[]
  readonly kinds: readonly string[]
}

export function readLine(marked: string): Line {
  const found = [...marked.matchAll(MARK)]
  return {
    brought: marked.replace(MARK, '$2'),
    kept: marked.replace(MARK, '[redacted:$1]'),
    secrets: found.map(([, , secret = '']) => secret),
    kinds: [...new Set(found.map(([, kind = '']) => kind))].sort(),
  }
}

function jwtPart(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

export const JWT = `${jwtPart({ alg: 'HS256', typ: 'JWT' })}.${jwtPart({ sub: '42', name: 'nobody' })}.${run(43)}`
export const BASIC = Buffer.from('deploy:Tr0ub4dor-synthetic').toString('base64')

export function pem(label = 'PRIVATE KEY', lines = 4, newline = '\n'): string {
  const body = Array.from({ length: lines }, (_, line) => run(line === lines - 1 ? 38 : 64, BASE64, line + 3))
  return [`-----BEGIN ${label}-----`, ...body, `-----END ${label}-----`].join(newline)
}
