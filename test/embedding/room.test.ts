import { readdirSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const src = fileURLToPath(new URL('../../src/', import.meta.url))

/** Every import of every file, as [file, specifier]. */
function imports(): [string, string][] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .flatMap(name => {
      const text = readFileSync(resolve(src, name), 'utf8')
      return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, of]): [string, string] => [
        name,
        of ?? '',
      ])
    })
}

describe('the room', () => {
  it('imports nothing of ours and nothing that must be installed', () => {
    const strange = imports()
      .filter(([file]) => file.startsWith('embedding/'))
      .filter(([file, of]) => {
        if (!of.startsWith('.')) return !of.startsWith('node:')
        return !relative(src, resolve(src, dirname(file), of)).startsWith('embedding/')
      })
    expect(strange).toEqual([])
  })

  it('is the only one that imports a transport, beside the command line, which shows a page', () => {
    const transports = imports()
      .filter(([, of]) => /^(node:)?(http|https|http2|net|tls|dgram|undici|ws)$/.test(of))
      .filter(([file]) => !file.startsWith('cli/') && !file.startsWith('embedding/wire/'))
    expect(transports).toEqual([])
  })
})
