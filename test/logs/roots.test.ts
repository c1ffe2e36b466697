import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { listSessionLogs } from '../../src/logs/index.ts'
import { removeTempDirs, tempDir } from '../support/temp.ts'
import { collect } from './samples.ts'

afterEach(removeTempDirs)

function put(root: string, project: string, session: string, name: string): string {
  mkdirSync(join(root, project, session), { recursive: true })
  const path = join(root, project, session, name)
  writeFileSync(path, 'x')
  return path
}

const pathsIn = async (root: string): Promise<string[]> => (await collect(listSessionLogs(root))).map(log => log.path)

describe('session roots', () => {
  it('lists project by project, both physical forms, nothing else', async () => {
    const root = tempDir()
    const b = put(root, '--b--', 's1', 'session.jsonl.zstd')
    const a = put(root, '--a--', 's2', 'session.jsonl')
    put(root, '--a--', 's3', 'notes.jsonl')
    writeFileSync(join(root, 'session.jsonl'), 'x')
    writeFileSync(join(root, '--a--', 'session.jsonl'), 'x')
    mkdirSync(join(root, '--a--', 's4', 'session.jsonl'), { recursive: true })
    expect(await collect(listSessionLogs(root))).toEqual([
      { path: a, compression: 'none', size: 1, modified: expect.any(Number) },
      { path: b, compression: 'zstd', size: 1, modified: expect.any(Number) },
    ])
  })

  it.each(['nowhere', 'file'])('a root that is no folder (%s) has none', async name => {
    const folder = tempDir()
    writeFileSync(join(folder, 'file'), 'x')
    expect(await pathsIn(join(folder, name))).toEqual([])
  })

  it('follows links to folders, and a link to nothing or in a circle costs nobody else anything', async () => {
    const [root, elsewhere] = [tempDir(), tempDir()]
    put(elsewhere, 'project', 's1', 'session.jsonl')
    const plain = put(root, '--z--', 's2', 'session.jsonl')
    symlinkSync(join(elsewhere, 'project'), join(root, '--linked--'))
    symlinkSync(join(elsewhere, 'nothing'), join(root, '--dangling--'))
    symlinkSync('--circle--', join(root, '--circle--'))
    expect(await pathsIn(root)).toEqual([join(root, '--linked--', 's1', 'session.jsonl'), plain])
  })
})
