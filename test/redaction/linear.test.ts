import { describe, expect, it } from 'vitest'
import { BUILT_IN_RULES, redact } from '../../src/redaction/index.ts'
import { readLine } from './made.ts'
import { MUST_KEEP } from './must-keep.ts'
import { MUST_REDACT } from './must-redact.ts'

const SIZE = 16_384

/** Openings without closings, beginnings without ends: what makes a careless pattern read the rest again and again. */
const HOSTILE = [
  'password=',
  'password="',
  'password:「',
  "password='",
  'password="\\"',
  'password is ',
  'the password for ',
  'password (',
  'password: Optional[str] = ',
  'name: PASSWORD value: ',
  'password=a,b=',
  '?a=b&token=a&',
  '| password | ',
  '--password ',
  '<password a',
  '<password>',
  'use aaaa as ',
  'user a password ',
  'login: a/',
  '密码',
  '密码是',
  '密码：「',
  '密码已经',
  '用a作为',
  'eyJ',
  'eyJ-',
  'eyJaaaaaaaa.',
  'eyJaaaaaaaa.eyJa',
  'sk-',
  'sk-ant-',
  '0123456789abcdef0123456789abcdef.',
  `M${'a'.repeat(23)}.`,
  'a://',
  'a://b:',
  'https://a:@',
  'postgres://a:b@c',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----MIIB ',
  'bearer ',
  'authorization: bearer ',
  'basic YTpi',
  'cookie: a=',
  'cookie: a=b; ',
  'AKIAABCDEFGHIJKLMN23 ',
  'mysql ',
  'curl -u a',
  '[redacted:password]',
  'password=[redacted:password]',
  ';base64,',
  '{{',
  '***',
  '\\',
  '"',
  '_',
  ' ',
  '\n',
]

/** The best of a few runs, in milliseconds of the processor: others may be using the machine. */
function timeOf(text: string, runs = 2): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    const start = process.cpuUsage()
    redact(text, BUILT_IN_RULES)
    const { user, system } = process.cpuUsage(start)
    best = Math.min(best, (user + system) / 1_000)
  }
  return best
}

const repeat = (unit: string, size: number) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size)

describe('time', () => {
  it.each(HOSTILE)('is linear in a text of %j', unit => {
    const once = timeOf(repeat(unit, SIZE))
    const eightfold = timeOf(repeat(unit, 8 * SIZE), 1)
    // Linear is 8, quadratic 64.
    expect(eightfold).toBeLessThan(Math.max(24 * once, 400))
  })

  it('is small for notes of the largest size', () => {
    const notes =
      'The staging database moved to port 5433; restart worker-7 first. 队列重启之后检查日志，端口是 8080。 see https://wiki.example.test/a?b=c\n'
    // About 3 ms on the machine it was written on.
    expect(timeOf(repeat(notes, 65_536))).toBeLessThan(60)
  })

  it('is bounded for texts full of secrets and of near misses', () => {
    expect(timeOf(repeat(`${MUST_REDACT.map(line => readLine(line).brought).join('\n')}\n`, SIZE))).toBeLessThan(500)
    expect(timeOf(repeat(`${MUST_KEEP.join('\n')}\n`, SIZE))).toBeLessThan(500)
  })
})
