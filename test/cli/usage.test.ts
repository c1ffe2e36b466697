/** How the command line takes what it is given. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { readOptions, UsageError } from '../../src/cli/options.ts'
import { type Output, progress } from '../../src/cli/output.ts'
import { removeTempDirs, tempDir } from '../support/temp.ts'
import { MAIN, run } from './run.ts'

afterAll(removeTempDirs)

describe('a wrong call', () => {
  it.each([
    ['no command', []],
    ['a command there is not', ['forget-it']],
    ['a word too many', ['verify', 'everything']],
    ['an option there is not', ['rebuild', '--hard']],
    ['a source there is not', ['rebuild', '--from', 'memory']],
    ['an option without its value', ['rebuild', '--path']],
  ])('(%s) exits with 2, says what is wrong, and touches nothing', async (_, args) => {
    const home = tempDir()
    const { code, stdout, stderr } = await run(args, { DSH_HOME: home })
    expect(code).toBe(2)
    expect(stdout + stderr).toContain('dsh-hologram')
    expect(stderr).not.toContain('    at ')
    expect(readdirSync(home)).toEqual([])
  })

  it('of a session folder that is not there changes nothing, least of all the database', async () => {
    const home = tempDir()
    const { code, stderr } = await run(['rebuild', '--home', home, '--sessions', `${home}/typo`])
    expect(code).toBe(2)
    expect(stderr).toContain(`${home}/typo`)
    expect(existsSync(`${home}/hologram`)).toBe(false)
  })
})

describe('a home that is not there', () => {
  it.each([['rebuild'], ['doctor'], ['status'], ['export', 'events.jsonl']])(
    'is misspelt: %s makes none',
    async (...call) => {
      const home = `${tempDir()}/typo`
      const { code, stdout, stderr } = await run([...call, '--home', home])
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain(`there is no folder ${home}`)
      expect(existsSync(home)).toBe(false)
    },
  )
})

describe('output that nobody reads to its end', () => {
  it.each(['stdout', 'stderr'] as const)('(%s) breaks nothing off', async stream => {
    const args = stream === 'stdout' ? ['--help'] : ['no-such-command']
    const child = spawn(process.execPath, [MAIN, ...args], { stdio: 'pipe' })
    child[stream].destroy()
    let rest = ''
    child[stream === 'stdout' ? 'stderr' : 'stdout'].on('data', data => {
      rest += String(data)
    })
    const [code] = await once(child, 'close')
    expect({ code, rest }).toEqual({ code: stream === 'stdout' ? 0 : 2, rest: '' })
  })
})

describe('help', () => {
  it('is shown with exit code 0, on stdout', async () => {
    const { code, stdout, stderr } = await run(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const word of ['rebuild', 'verify', '--json', 'Exit codes']) expect(stdout).toContain(word)
  })
})

describe('options', () => {
  it('are below the home that is named, or else $DSH_HOME', () => {
    const home = tempDir()
    const named = readOptions(['verify', '--home', home])
    expect(named).toMatchObject({
      path: `${home}/hologram/memory.db`,
      journal: `${home}/hologram/journal`,
      roots: [`${home}/sessions`],
      from: 'both',
      json: false,
      words: ['verify'],
    })
  })

  it('name several session folders, and a database elsewhere has its journal beside it', () => {
    const roots = [tempDir(), tempDir()]
    const named = readOptions(['rebuild', ...roots.flatMap(root => ['--sessions', root]), '--path', '/x/m.db'])
    expect(named).toMatchObject({ roots, path: '/x/m.db', journal: '/x/journal' })
  })

  it('that are not known are refused by name', () => {
    expect(() => readOptions(['verify', '--from', 'nowhere'])).toThrow(UsageError)
    expect(() => readOptions(['verify', '--nope'])).toThrow('--nope')
  })
})

describe('progress', () => {
  it('is a remark, at most once a second, and never a result', async () => {
    const lines: string[] = []
    const output: Output = {
      result: line => void lines.push(`result ${line}`),
      remark: line => void lines.push(`remark ${line}`),
    }
    const report = progress(output, 'events read')
    const end = performance.now() + 1_200
    for (let count = 1; performance.now() < end; count++) {
      report(count * 1_000)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^remark events read: [\d,]+,000$/)
  })
})
