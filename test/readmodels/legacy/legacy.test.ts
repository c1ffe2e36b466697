/** Reading the earlier port's files: columns are looked at, nothing beside or in the source changes. */
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../../../src/readmodels/database/open.ts'
import { isLegacyDatabaseError, openLegacy } from '../../../src/readmodels/legacy/index.ts'
import { unixMillis } from '../../../src/readmodels/legacy/time.ts'
import { legacyVector } from '../../../src/readmodels/legacy/vector.ts'
import { removeTempDirs, tempDir } from '../../support/temp.ts'
import { contents, oldDatabase, oldId, openOld, TIME } from './old-databases.ts'

function look(path: string) {
  const old = openLegacy(path)
  try {
    return { shape: old.shape, blocks: [...old.blocks()], edges: [...old.edges()], unreadable: old.unreadableEdges }
  } finally {
    old.close()
  }
}

function refusal(path: string): string {
  try {
    openLegacy(path).close()
    return 'taken'
  } catch (error) {
    return isLegacyDatabaseError(error) ? error.code : String(error)
  }
}

afterAll(removeTempDirs)

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('the shape of an old file', () => {
  it.each(['A', 'B', 'unfinished B'] as const)('%s is found by its columns', shape => {
    const { shape: found, blocks } = look(oldDatabase({ shape, rows: [{ text: 'one' }] }))
    expect(found).toMatchObject({ phase: shape, userVersion: shape === 'B' ? 1 : 0 })
    expect(blocks).toMatchObject([{ id: oldId('one'), text: 'one', modality: 'text', time: TIME }])
  })

  it('with a version that claims columns that are not there is phase A', () => {
    const path = join(tempDir(), 'memory.db')
    const db = openOld({ shape: 'A', rows: [{ text: 'one' }] }, path)
    db.pragma('user_version = 1')
    db.close()
    expect(look(path)).toMatchObject({ shape: { phase: 'A', userVersion: 1 }, blocks: [{ text: 'one' }] })
  })

  it('with one of the two new columns only is unfinished, and readable', () => {
    const path = join(tempDir(), 'memory.db')
    const db = openOld({ shape: 'A', rows: [{ text: 'one' }] }, path)
    db.exec("ALTER TABLE memory_blocks ADD COLUMN vector TEXT DEFAULT ''")
    db.exec("UPDATE memory_blocks SET vector = '[1]'")
    db.close()
    const { shape, blocks } = look(path)
    expect(shape.phase).toBe('unfinished B')
    expect(blocks[0]?.vector).toEqual({ noVector: 'import: the vector has no fingerprint' })
  })

  it.each([
    ['old', 'A', 0],
    ['old', 'A', 2],
    ['new', 'B', 3],
    ['old', 'unfinished B', 1],
    ['new', 'unfinished B', 0],
  ] as const)('has a centroid of %s form in %s with %i rows', (centroid, shape, centroids) => {
    const found = look(oldDatabase({ shape, rows: [], centroid, centroids })).shape.centroid
    expect(found).toMatchObject({ kind: centroid, rows: centroids })
  })

  it('without a table of centroids or edges has none', () => {
    const path = join(tempDir(), 'memory.db')
    const db = openOld({ shape: 'A', rows: [{ text: 'one' }] }, path)
    db.exec('DROP TABLE graph_centroid; DROP TABLE memory_block_edges')
    db.close()
    expect(look(path)).toMatchObject({ shape: { centroid: { kind: 'none' } }, edges: [], unreadable: 0 })
  })

  it('with edges of other columns counts them', () => {
    const path = join(tempDir(), 'memory.db')
    const db = openOld({ shape: 'A', rows: [] }, path)
    db.exec(
      'DROP TABLE memory_block_edges; CREATE TABLE memory_block_edges (a, b); INSERT INTO memory_block_edges VALUES (1, 2)',
    )
    db.close()
    expect(look(path)).toMatchObject({ edges: [], unreadable: 1 })
  })

  it('is read from a table without rowid, and with the least of columns', () => {
    const path = join(tempDir(), 'memory.db')
    const db = new Database(path)
    db.exec('CREATE TABLE memory_blocks (id TEXT PRIMARY KEY, text_content TEXT) WITHOUT ROWID')
    db.exec("INSERT INTO memory_blocks VALUES ('b', 'two'), ('a', 'one')")
    db.close()
    expect(look(path).blocks.map(({ id, time }) => [id, time])).toEqual([
      ['a', undefined],
      ['b', undefined],
    ])
  })
})

describe('a file that nothing can be imported from', () => {
  it('is refused, each with its reason', () => {
    const folder = tempDir()
    expect(refusal(join(folder, 'nowhere.db'))).toBe('missing')
    expect(refusal(folder)).toBe('missing')
    writeFileSync(join(folder, 'notes.db'), 'these are notes, and rather many of them: '.repeat(50))
    expect(refusal(join(folder, 'notes.db'))).toBe('not_a_database')
    const foreign = join(folder, 'foreign.db')
    const db = new Database(foreign)
    db.exec('CREATE TABLE songs (title TEXT)')
    db.close()
    expect(refusal(foreign)).toBe('foreign_database')
    const view = join(folder, 'view.db')
    const other = new Database(view)
    other.exec("CREATE VIEW memory_blocks AS SELECT 'a' AS id, 'b' AS text_content")
    other.close()
    expect(refusal(view)).toBe('foreign_database')
    const ours = join(folder, 'ours.db')
    openDatabase(ours).db.close()
    expect(refusal(ours)).toBe('our_database')
  })

  it('is refused when it is damaged', () => {
    const rows = Array.from({ length: 400 }, (_, n) => ({ text: `fact ${n} ${'x'.repeat(200)}` }))
    const path = oldDatabase({ shape: 'A', rows })
    const { size } = statSync(path)
    const bytes = Buffer.alloc(4096, 0x5a)
    const file = new Database(path)
    file.close()
    const all = contents(dirname(path))
    const broken = join(tempDir(), 'broken.db')
    const source = Buffer.from(readFileSync(path))
    bytes.copy(source, Math.floor(size / 2 / 4096) * 4096)
    writeFileSync(broken, source)
    expect(refusal(broken)).toBe('damaged')
    expect(contents(dirname(path))).toEqual(all)
  })
})

describe('the source', () => {
  it('stays as it is, with what a crash left beside it, and what is in the WAL is read', () => {
    const live = join(tempDir(), 'memory.db')
    const db = openOld({ shape: 'A', rows: [{ text: 'in the file' }] }, live)
    db.pragma('journal_mode = WAL')
    db.pragma('wal_autocheckpoint = 0')
    db.prepare("INSERT INTO memory_blocks VALUES ('blk_000000000001', 'text', 'in the WAL', '', '', '', 1, 1)").run()
    const folder = join(tempDir(), '.dsh-memory')
    mkdirSync(folder)
    // As a killed process leaves them: file and WAL, without a last checkpoint.
    for (const part of ['', '-wal', '-shm']) writeFileSync(join(folder, `memory.db${part}`), readFileSync(live + part))
    db.close()
    const path = join(folder, 'memory.db')
    const before = contents(folder)
    const temporary = tempDir()
    vi.stubEnv('TMPDIR', temporary)
    expect(look(path).blocks.map(({ text }) => text)).toEqual(expect.arrayContaining(['in the file', 'in the WAL']))
    expect(contents(folder)).toEqual(before)
    expect(Object.keys(before)).toHaveLength(3)
    expect(readdirSync(temporary)).toEqual([])
    // The WAL belongs to the file, not to a link to it.
    const link = join(tempDir(), 'link.db')
    symlinkSync(path, link)
    expect(look(link).blocks).toHaveLength(2)
  })
})

describe('times', () => {
  it('are read in the forms they may have', () => {
    expect(unixMillis(TIME)).toBe(TIME)
    expect(unixMillis(TIME / 1_000)).toBe(TIME)
    expect(unixMillis(TIME * 1_000)).toBe(TIME)
    expect(unixMillis(TIME * 1_000_000)).toBe(TIME)
    expect(unixMillis(String(TIME))).toBe(TIME)
    expect(unixMillis('2023-11-14 22:13:20')).toBe(TIME)
    expect(unixMillis('2023-11-14T22:13:20.000Z')).toBe(TIME)
    for (const none of [null, undefined, '', ' ', 'soon', 0, -5, Number.NaN, Infinity, {}]) {
      expect(unixMillis(none), String(none)).toBeUndefined()
    }
  })
})

describe('vectors', () => {
  it('become float32 little-endian in base64', () => {
    expect(legacyVector('[1,-0.5]', 'f')).toEqual({ vector: { space: 'f', data: 'AACAPwAAAL8=' } })
  })

  it.each([
    ['', 'f', 'no vector'],
    [null, 'f', 'no vector'],
    ['[1]', '', 'no fingerprint'],
    ['[1]', 'f'.repeat(501), 'not usable'],
    ['{"a":1}', 'f', 'not a list'],
    ['[1,', 'f', 'not a list'],
    [Buffer.from('[1]'), 'f', 'not a list'],
    ['[]', 'f', 'is empty'],
    ['[1,null]', 'f', 'not finite'],
    ['[1,"2"]', 'f', 'not finite'],
    ['[1e39]', 'f', 'not finite'],
    ['[1e999]', 'f', 'not finite'],
    [JSON.stringify(Array(65_537).fill(1)), 'f', 'more than 65536'],
  ])('%.20s of %.5s are none, with the reason', (json, fingerprint, reason) => {
    expect(legacyVector(json, fingerprint)).toEqual({ noVector: expect.stringContaining(reason) })
  })
})
