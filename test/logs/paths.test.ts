import { homedir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { defaultSessionRoot, dshHome, memoryPaths } from '../../src/logs/index.ts'

const home = resolve(sep, 'srv', 'dsh')

describe('the harness home', () => {
  it.each([undefined, '', '   '])('with DSH_HOME %j is .dsh in the home of the user', value => {
    expect(dshHome(value === undefined ? {} : { DSH_HOME: value })).toBe(join(homedir(), '.dsh'))
  })

  it('is DSH_HOME where it is set, made absolute', () => {
    expect(dshHome({ DSH_HOME: home })).toBe(home)
    expect(dshHome({ DSH_HOME: 'here' })).toBe(resolve('here'))
    expect(dshHome({ DSH_HOME: '~/there' })).toBe(join(homedir(), 'there'))
    expect(dshHome({ DSH_HOME: '~' })).toBe(homedir())
  })
})

describe('where memory is', () => {
  it('is below the harness home unless settings say otherwise', () => {
    const folder = join(home, 'hologram')
    expect(memoryPaths({}, home)).toEqual({ path: join(folder, 'memory.db'), journal: join(folder, 'journal') })
    expect(memoryPaths({ path: '', journal: '' }, home)).toEqual(memoryPaths({}, home))
  })

  it('the journal lies beside the database, wherever that is', () => {
    const path = resolve(sep, 'data', 'm.db')
    expect(memoryPaths({ path }, home)).toEqual({ path, journal: resolve(sep, 'data', 'journal') })
    expect(memoryPaths({ path: '~/m.db' }, home).path).toBe(join(homedir(), 'm.db'))
    expect(memoryPaths({ path: 'sub/m.db' }, home).path).toBe(join(home, 'sub', 'm.db'))
  })

  it('unless it has a place of its own', () => {
    expect(memoryPaths({ journal: 'j' }, home).journal).toBe(join(home, 'j'))
    expect(memoryPaths({ journal: '~' }, home).journal).toBe(homedir())
  })

  it('session logs are where the host keeps them', () => {
    expect(defaultSessionRoot(home)).toBe(join(home, 'sessions'))
  })
})
