import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fingerprint, HttpProvider, normaliseEndpoint } from '../../src/embedding/index.ts'

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)

describe('an endpoint', () => {
  it.each([
    ['  https://API.Example.com/v1/embeddings  ', 'https://api.example.com/v1/embeddings'],
    ['HTTPS://h/V1/Path', 'https://h/V1/Path'],
    ['https://h:443/v1', 'https://h/v1'],
    ['http://h:80/v1', 'http://h/v1'],
    ['http://h:443/v1', 'http://h:443/v1'],
    ['https://h:80/v1', 'https://h:80/v1'],
    ['http://h:/v1', 'http://h/v1'],
    ['http://h:8080/', 'http://h:8080'],
    ['http://h', 'http://h'],
    ['http://h/v1/', 'http://h/v1'],
    ['http://h/v1/?b=2&a=1', 'http://h/v1?b=2&a=1'],
    ['http://h/v1?a=1&b=2/', 'http://h/v1?a=1&b=2/'],
    ['http://h/a/../b/./c', 'http://h/a/../b/./c'],
    ['http://h/%7Euser', 'http://h/%7Euser'],
    ['http://[::1]:80/v1', 'http://[::1]/v1'],
    ['http://[FE80::1]:81/v1', 'http://[fe80::1]:81/v1'],
    ['http://User:Pass@HOST/v1', 'http://User:Pass@host/v1'],
    [' not an address ', 'not an address'],
    ['', ''],
  ])('%j means %j', (given, normal) => {
    expect(normaliseEndpoint(given)).toBe(normal)
    expect(normaliseEndpoint(normal)).toBe(normal)
  })

  it('is normalised once and for all, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true, withFragments: true })), text => {
        const once = normaliseEndpoint(text)
        expect(normaliseEndpoint(once)).toBe(once)
      }),
    )
  })
})

describe('a fingerprint', () => {
  const parts = { provider: 'http', model: 'm1', dimension: 3, endpoint: 'https://h/v1' } as const

  it('names provider, model, dimension and endpoint', () => {
    expect(fingerprint(parts)).toBe(`http:m1:3:${hash('https://h/v1')}`)
    expect(fingerprint({ ...parts, endpoint: ' HTTPS://H:443/v1/ ' })).toBe(fingerprint(parts))
  })

  it('changes with the model, with the dimension and with the endpoint, each alone (case 24)', () => {
    const all = [
      parts,
      { ...parts, model: 'm2' },
      { ...parts, dimension: 4 },
      { ...parts, endpoint: 'https://h/v2' },
      { ...parts, endpoint: 'http://h/v1' },
      { ...parts, endpoint: 'https://h/v1?a' },
    ].map(fingerprint)
    expect(new Set(all).size).toBe(all.length)
  })

  it('is empty, and names no space, without dimension, endpoint or name', () => {
    for (const dimension of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(fingerprint({ ...parts, dimension })).toBe('')
    }
    expect(fingerprint({ ...parts, endpoint: ' ' })).toBe('')
    expect(fingerprint({ ...parts, given: ' ' })).toBe('')
  })

  it('is the user’s where the user gave one', () => {
    expect(fingerprint({ ...parts, given: ' mine ' })).toBe('mine')
  })

  it('of a local model names its content, not its place', () => {
    expect(fingerprint({ provider: 'local', model: 'm', dimension: 2, content: 'abcdef0123456789' })).toBe(
      'local:m:2:abcdef01',
    )
  })

  it('of a provider is the function’s, and does not depend on the key (W7)', () => {
    const one = new HttpProvider({ endpoint: 'https://H/v1/', model: 'm1', dimension: 3, apiKey: 'key-number-one' })
    const two = new HttpProvider({ endpoint: 'https://h/v1', model: 'm1', dimension: 3, apiKey: 'key-number-two' })
    expect(one.space).toEqual({ fingerprint: fingerprint(parts), dimension: 3, provider: 'http', model: 'm1' })
    expect(two.space).toEqual(one.space)
  })

  it('is spelt in one file only (W7)', () => {
    const room = new URL('../../src/embedding/', import.meta.url)
    const spelling = readdirSync(room, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts'))
      .filter(name => /`(http|local|\$\{provider\}):\$\{/.test(readFileSync(new URL(name, room), 'utf8')))
    expect(spelling).toEqual(['fingerprint.ts'])
  })
})
