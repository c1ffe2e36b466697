import { describe, expect, it } from 'vitest'
import { scanSourceKinds } from '../support/source-kinds.ts'

describe('message sources declared by the installed host', () => {
  const found = scanSourceKinds()
  const kinds = new Map(found.map(({ member, kind }) => [member, kind]))

  it('finds the members of the base map', () => {
    expect(kinds.get('user')).toBe('user')
    expect(kinds.get('plugin')).toBe('plugin')
    expect(kinds.get('model')).toBe('model')
    expect(kinds.get('tool')).toBe('tool')
  })

  it('finds members merged by other packages, through named interfaces', () => {
    const merged = [
      'agent-instructions',
      'coordinator',
      'goal',
      'session-reference',
      'skill-catalog',
      'skill-invocation',
      'subagent-report',
      'subagent-settled',
    ]
    for (const member of merged) expect([member, kinds.get(member)]).toEqual([member, member])
  })

  it('knows that the prompt of the web client is a human speaking', () => {
    expect(kinds.get('user-rpc')).toBe('user')
  })

  it('knows no other source that claims to be a human', () => {
    const human = found.filter(({ kind }) => kind === 'user').map(({ member }) => member)
    expect(human).toEqual(['user', 'user-rpc'])
  })

  it('names nothing we have never looked at', () => {
    // a new member must be judged by a human first: is it somebody's own words?
    expect(found.map(({ member }) => member)).toEqual([
      'agent-instructions',
      'coordinator',
      'goal',
      'model',
      'plugin',
      'session-reference',
      'skill-catalog',
      'skill-invocation',
      'subagent-report',
      'subagent-settled',
      'tool',
      'user',
      'user-rpc',
    ])
  })
})
