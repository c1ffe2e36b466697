/** Opening the file: whose it is, what it is, and what of it stays as it was. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, describe, expect, it } from 'vitest'
import { isDatabaseRefused } from '../../../src/readmodels/database/errors.ts'
import { SCHEMA_VERSION } from '../../../src/readmodels/database/migrate.ts'
import { openDatabase } from '../../../src/readmodels/database/open.ts'
import { APPLICATION_ID } from '../../../src/readmodels/database/schema.ts'
import { removeTempDirs } from '../../support/temp.ts'
import { bytesBeside, filledDatabase, mode, tempPath } from './files.ts'

afterEach(removeTempDirs)

function refusal(path: string): { code: string; message: string } {
  try {
    openDatabase(path).db.close()
  } catch (error) {
    if (isDatabaseRefused(error)) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error('it was opened')
}

describe('a new database', () => {
  it('is made with its folder, in the newest schema and in WAL, and says whose it is', () => {
    const { db, movedAside } = openDatabase(tempPath())
    expect(movedAside).toBeUndefined()
    const pragma = (name: string) => db.pragma(name, { simple: true })
    expect(pragma('user_version')).toBe(SCHEMA_VERSION)
    expect(pragma('application_id')).toBe(APPLICATION_ID)
    expect(pragma('journal_mode')).toBe('wal')
    expect(pragma('synchronous')).toBe(1)
    db.close()
  })

  it('is the user’s alone: folder 0700, file, WAL and shm 0600, whatever the umask lets', () => {
    const before = process.umask(0)
    try {
      const path = tempPath()
      const { db } = openDatabase(path)
      db.exec("INSERT INTO meta (key, value) VALUES ('a', 'write')")
      expect(mode(dirname(path))).toBe(0o700)
      for (const suffix of ['', '-wal', '-shm']) expect(mode(path + suffix)).toBe(0o600)
      db.close()
    } finally {
      process.umask(before)
    }
  })

  it('leaves the mode of a folder that was there', () => {
    const path = tempPath()
    mkdirSync(dirname(path), { recursive: true })
    chmodSync(dirname(path), 0o755)
    openDatabase(path).db.close()
    expect(mode(dirname(path))).toBe(0o755)
  })

  it('that is opened again is the same one', () => {
    const path = filledDatabase()
    const { db } = openDatabase(path)
    expect(db.prepare('SELECT count(*) FROM memory_blocks').pluck().get()).toBe(60)
    db.close()
  })
})

describe('a file that is not ours', () => {
  it.each([
    ['a database of another application', (db: Database.Database) => void db.exec('CREATE TABLE notes (text TEXT)')],
    [
      'a database with another application id',
      (db: Database.Database) => {
        db.pragma('application_id = 42')
        db.exec('CREATE TABLE memory_blocks (id)')
      },
    ],
  ])('(%s) is refused and left byte for byte', (_, fill) => {
    const path = tempPath()
    mkdirSync(dirname(path), { recursive: true })
    const other = new Database(path)
    fill(other)
    other.close()
    const before = bytesBeside(path)
    const { code, message } = refusal(path)
    expect(code).toBe('foreign_database')
    expect(message).toContain(path)
    expect(message).toContain('`path`')
    expect(bytesBeside(path)).toEqual(before)
  })

  it('of a newer version of us is refused and left byte for byte', () => {
    const path = filledDatabase()
    const db = new Database(path)
    db.pragma(`user_version = ${SCHEMA_VERSION + 1}`)
    db.pragma('wal_checkpoint(TRUNCATE)')
    db.close()
    const before = bytesBeside(path)
    const { code, message } = refusal(path)
    expect(code).toBe('future_schema')
    expect(message).toContain(String(SCHEMA_VERSION + 1))
    expect(bytesBeside(path)).toEqual(before)
  })
})

describe('a place that cannot be written', () => {
  it('(below a file) is refused with what to do, and the file is left', () => {
    const path = tempPath()
    writeFileSync(dirname(path), 'a file')
    expect(refusal(path)).toMatchObject({ code: 'unwritable', message: expect.stringContaining('`path`') })
    expect(statSync(dirname(path)).size).toBe(6)
  })

  it('(a folder of that name) is refused', () => {
    const path = tempPath()
    mkdirSync(path, { recursive: true })
    expect(refusal(path).code).toBe('unwritable')
  })
})

const child = `
  import { openDatabase } from ${JSON.stringify(new URL('../../../src/readmodels/database/open.ts', import.meta.url).href)}
  const [path] = process.argv.slice(-1)
  process.stdin.once('data', () => {
    try {
      const { db, movedAside } = openDatabase(path)
      console.log(JSON.stringify([db.pragma('user_version', { simple: true }), db.pragma('journal_mode', { simple: true }), movedAside ?? null]))
      db.close()
    } catch (error) {
      console.log(JSON.stringify(String(error)))
    }
    process.exit()
  })
  console.log('ready')`

describe('two processes', () => {
  it('that make the file at once both get it whole', async () => {
    const script = ['--input-type=module', '-e', child]
    for (let round = 0; round < 6; round++) {
      const path = tempPath()
      const children = Array.from({ length: 3 }, () => spawn(process.execPath, [...script, path]))
      const outputs = children.map(() => '')
      const ended = children.map(
        (one, at) =>
          new Promise<void>(resolve => {
            one.stdout.on('data', data => {
              outputs[at] += String(data)
            })
            one.once('close', () => resolve())
          }),
      )
      while (!outputs.every(text => text.startsWith('ready'))) await new Promise(resolve => setTimeout(resolve, 5))
      for (const one of children) one.stdin.end('go\n')
      await Promise.all(ended)
      const made = `ready\n${JSON.stringify([SCHEMA_VERSION, 'wal', null])}\n`
      expect(outputs).toEqual([made, made, made])
      expect(existsSync(path)).toBe(true)
    }
  })
})
