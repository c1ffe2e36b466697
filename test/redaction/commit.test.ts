import { describe, expect, it } from 'vitest'
import { decideCommit, type Stamp } from '../../src/commands/index.ts'
import { blockId, commitSchema, newEventId } from '../../src/events/index.ts'
import { gone, pem, readLine, run } from './made.ts'

const LIMITS = { maxBytes: 65_536 }
const STAMP: Stamp = { id: newEventId(), clock: 1, ns: { id: `ns_${'0'.repeat(24)}`, label: 'x' }, at: { time: 0 } }

const decide = (text: string, more: object = {}, limits: Parameters<typeof decideCommit>[2] = LIMITS) => {
  const draft = decideCommit({ text, ...more }, 'tool', limits)
  return { block: draft.block, event: commitSchema.parse(draft.stamp(STAMP)) }
}

describe('a commit', () => {
  it('makes its id from what is kept, not from the secret', () => {
    const [one, other] = [decide('db password=hunter2'), decide('db password=swordfish1')]
    expect(one.block).toBe(blockId('db password=[redacted:password]'))
    expect(other.block).toBe(one.block)
    expect(one.block).not.toBe(blockId('db password=hunter2'))
    expect(decide(one.event.text).block).toBe(one.block)
  })

  it('says which kinds were removed', () => {
    const { event } = decide(`password=hunter2 and ghp_${run(36)}`)
    expect(event.redacted).toEqual(['github_token', 'password'])
    expect(decide('port 8080').event).not.toHaveProperty('redacted')
  })

  it('redacts everything it brings, within the bounds of the event', () => {
    const key = `sk-${run(48)}`
    const { event } = decide('plain', {
      source: `cat .env: TOKEN=${run(20)}`,
      tool: `x ${key}`,
      scene: `deploy/${key}`,
      semanticType: `t ${key}`,
      frame: { ts: 5, role: `r ${key}`, speaker: `Li ${key}`, callId: `c ${key}`, conversation: `v ${key}` },
    })
    expect(JSON.stringify(event)).not.toContain(key)
    expect(event.scene).toBe('deploy/[redacted:openai_key]')
    expect(event.frame?.ts).toBe(5)
    expect(event.redacted).toEqual(['openai_key', 'token'])
    const full = 'pwd=a1bc '.repeat(55)
    expect(decide('plain', { source: full }).event.source?.length).toBeLessThanOrEqual(500)
  })

  it('keeps a text that is nothing but a secret as its marker', () => {
    const { event, block } = decide(pem())
    expect(event.text).toBe('[redacted:pem]')
    expect(event.redacted).toEqual(['pem'])
    expect(decide(pem('RSA PRIVATE KEY')).block).toBe(block)
  })

  it('leaves a text without secrets byte-identical', () => {
    for (const text of [' a  b\r\n c\u00a0', 'e\u0301 é', '密码规则是至少八位', 'apiKey: import.meta.env.APP_KEY']) {
      expect(decide(text).event.text).toBe(text)
    }
  })

  it('leaves everything as it is when redaction is off', () => {
    const { event } = decide('password=hunter2', {}, { ...LIMITS, redaction: { enabled: false, patterns: [] } })
    expect(event.text).toBe('password=hunter2')
    expect(event).not.toHaveProperty('redacted')
  })

  it('names at most as many kinds as an event may hold', () => {
    const { brought } = readLine(gone('password', 'hunter2'))
    expect(decide(`password=${brought}\n`.repeat(2_000)).event.redacted).toEqual(['password'])
  })
})
