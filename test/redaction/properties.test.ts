import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BUILT_IN_RULES, redact } from '../../src/redaction/index.ts'
import { ALNUM, readLine, run } from './made.ts'
import { MUST_KEEP } from './must-keep.ts'
import { MUST_REDACT } from './must-redact.ts'
import { TOKENS } from './tokens.ts'

/** The same cases each time: a property about patterns of prose is a statement about these, not about all strings. */
const RUNS = { numRuns: 1_000, seed: 16 }

const clean = (text: string) => redact(text, BUILT_IN_RULES).text

/** Words, lines and noise around a secret. */
const around = fc
  .array(
    fc.oneof(
      fc.constantFrom(...MUST_KEEP),
      fc.constantFrom(
        'the',
        'host',
        'db-3',
        '数据库',
        '重启之后',
        '{"a":',
        '[1,2]',
        '\n',
        '\t',
        'https://a.example.test/x?y=1',
      ),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
    ),
    { maxLength: 4 },
  )
  .map(parts => parts.join(' '))

const opening = fc.constantFrom(' ', '\n', ' "', '：', '（', ' `', '，', ' x=', '\\n', '%20', '>')
const closing = fc.constantFrom(' ', '\n', '" ', '。', '），', '` ', '，然后', '\\n', ')')

/** Chosen and generated passwords: letters of both cases, digits and some signs. */
const password = fc
  .tuple(fc.nat(1_000_000), fc.integer({ min: 6, max: 40 }))
  .map(([seed, length]) => `k7Q${run(length, `${ALNUM}!@#%^+_~`, seed)}w`)

const english = fc.constantFrom<(secret: string) => string>(
  secret => `password=${secret}`,
  secret => `password: ${secret}`,
  secret => `"password": "${secret}"`,
  secret => `DB_PASSWORD='${secret}'`,
  secret => `export TOKEN=${secret}`,
  secret => `api_key: ${secret}`,
  secret => `client_secret = "${secret}"`,
  secret => `--password ${secret}`,
  secret => `postgres://app:${secret.replace(/[@#%]/g, 'x')}@db:5432/x`,
  secret => `Authorization: Bearer ${secret}`,
  secret => `the password for staging is ${secret}`,
)
const chinese = fc.constantFrom<(secret: string) => string>(
  secret => `密码是${secret}`,
  secret => `密码：${secret}`,
  secret => `口令为 ${secret}`,
  secret => `密钥为：${secret}`,
  secret => `令牌已改为 ${secret}`,
  secret => `密码（root）是「${secret}」`,
)

describe('redaction', () => {
  it('lets no token through, whatever is around it', () => {
    fc.assert(
      fc.property(
        around,
        opening,
        fc.constantFrom(...TOKENS),
        closing,
        around,
        (head, open, [, token], close, tail) => {
          const kept = clean(head + open + token + close + tail)
          expect(kept).not.toContain(token)
          expect(kept).not.toContain(token.slice(-12))
        },
      ),
      RUNS,
    )
  })

  it('lets no assigned or spoken secret through, whatever is around it', () => {
    fc.assert(
      fc.property(around, password, fc.oneof(english, chinese), around, (head, secret, form, tail) => {
        const said = form(secret)
        const kept = clean(`${head}\n${said} \n${tail}`)
        expect(kept).not.toContain(secret)
        expect(kept).not.toContain(secret.slice(0, 8))
        expect(kept).not.toContain(secret.slice(-6))
      }),
      RUNS,
    )
  })

  it('gives a text without secrets back as it is', () => {
    const words = fc.stringMatching(/^[a-zA-Z一-鿿ぁ-ゖ，。；！？、 \n\t]{0,200}$/u)
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.constantFrom(...MUST_KEEP)), { maxLength: 8 }), parts => {
        const text = parts.join('\n')
        expect(redact(text, BUILT_IN_RULES)).toEqual({ text, kinds: [] })
      }),
      RUNS,
    )
  })

  it('changes nothing the second time, even in texts glued together from pieces', () => {
    const pieces = [...MUST_REDACT.map(line => readLine(line).brought), ...MUST_KEEP]
    const piece = fc.oneof(
      fc.constantFrom(...pieces),
      fc
        .tuple(fc.constantFrom(...pieces), fc.nat(40), fc.nat(40))
        .map(([text, from, to]) => text.slice(from, text.length - to)),
      fc.constantFrom('[redacted:password]', '[redacted:', '"', "'", '=', ':', '\\', '@', '://', '密码是', 'password='),
      fc.string({ unit: 'binary', maxLength: 8 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.constantFrom('', ' ', '\n'), (parts, glue) => {
        const once = clean(parts.join(glue))
        expect(clean(once)).toBe(once)
      }),
      { ...RUNS, numRuns: 3_000 },
    )
  })
})
