import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

const SCRIPT = `
  const bare = new Set()
  require('node:module').registerHooks({
    resolve(specifier, context, next) {
      if (/^[@a-z]/.test(specifier) && !/^(node|file|data):/.test(specifier)) bare.add(specifier)
      return next(specifier, context)
    },
  })
  import(${JSON.stringify(new URL('../../../src/logs/detach/index.ts', import.meta.url).href)}).then(() => {
    console.log(JSON.stringify([...bare].filter(name => name.startsWith('@deepseek-ai/'))))
  })
`

it('detaching loads nothing of the host: it is for the moment when no host can be relied on', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', SCRIPT], { encoding: 'utf8' })
  expect([stdout.trim(), stderr]).toEqual(['[]', ''])
})
