/** Import of the earlier port's databases (MIG1 to MIG3b): nothing is lost, nothing of the source changes. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { importedEventId } from '../../src/cli/import-event-id.ts'
import { importNamespace } from '../../src/cli/import-namespace.ts'
import { blockId, isEventId, shortHash } from '../../src/events/index.ts'
import { Namespaces } from '../../src/plugin/namespace.ts'
import { lookup } from '../../src/readmodels/audit/lookup.ts'
import { SCHEMA_VERSION } from '../../src/readmodels/database/migrate.ts'
import { contents, oldDatabase, oldId, openOld, TIME } from '../readmodels/legacy/old-databases.ts'
import { commit, eventId } from '../support/events.ts'
import { removeTempDirs, tempDir } from '../support/temp.ts'
import { Machine } from './import-export.ts'

const A = 'the staging port is 8080'
const A_TOO = '  the staging   port is 8080\n'
const B = '测试环境的端口是 9090'
const C = 'Mimi is the cat 😀'
const edge = (source: string, target: string, type = 'near') => ({ source: oldId(source), target: oldId(target), type })

afterAll(removeTempDirs)

describe('import of phase A', () => {
  const rows = [
    { text: A, source: 'chat', scene: 'ops/ports', semanticType: 'fact' },
    { text: B },
    { text: C, time: '2023-11-14 22:13:20' },
  ]

  it('loses nothing: texts, metadata, times, ids and edges', async () => {
    const path = oldDatabase({ shape: 'A', rows, edges: [edge(A, B, 'supersedes'), edge(B, C)] })
    const machine = new Machine()
    const report = await machine.json('import', path)
    expect(report).toMatchObject({
      phase: 'A',
      userVersion: 0,
      rows: 3,
      blocks: 3,
      created: 3,
      duplicates: 0,
      aliases: 3,
      vectors: 0,
      noVector: { 'import: the source has no vector': 3 },
      skipped: {},
      edges: 2,
      edgesSkipped: {},
      events: { fresh: 8, known: 0 },
    })
    await machine.withStore(store => {
      const { database } = store
      const block = database.prepare('SELECT * FROM memory_blocks WHERE id = ?').get(blockId(A))
      expect(block).toMatchObject({
        text_content: A,
        source: 'chat',
        scene: 'ops/ports',
        semantic_type: 'fact',
        created_at: TIME,
      })
      expect(database.prepare('SELECT created_at FROM memory_blocks WHERE id = ?').pluck().get(blockId(C))).toBe(TIME)
      expect(lookup(database, { ids: [oldId(A), oldId(B), oldId(C)] })).toMatchObject(
        [A, B, C].map(text => ({ state: 'living', representative: blockId(text) })),
      )
      const edges = database.prepare('SELECT source_id, target_id, type, session_id FROM memory_block_edges').all()
      expect(edges).toEqual(
        expect.arrayContaining([
          { source_id: blockId(A), target_id: blockId(B), type: 'supersedes', session_id: 'old-session' },
          { source_id: blockId(B), target_id: blockId(C), type: 'near', session_id: 'old-session' },
        ]),
      )
      // MIG2: the file it went to is at the present version.
      expect(database.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION)
      expect(store.recall({ query: 'staging port 8080', scope: 'all', namespace: '', topK: 3 }).hits[0]?.text).toBe(A)
    })
    expect(await machine.rebuilt()).toBe(await machine.dump())
  })

  it('can be written to afterwards, with what is said later ordered after it', async () => {
    const machine = new Machine()
    machine.journalOnly([commit(5, 'said before', { clock: 41 })])
    await machine.run('import', oldDatabase({ shape: 'A', rows }))
    const clocks = machine.said('commit').map(({ clock }) => Number(clock))
    expect(Math.min(...clocks.filter(clock => clock !== 41))).toBe(42)
    await machine.withStore(store => {
      const next = store.clock + 1
      const { acks } = store.fold([commit(6, 'said after', { clock: next })])
      expect(acks).toEqual([{ status: 'folded', created: true }])
      expect(store.stats().blocks).toBe(5)
    })
    expect(await machine.rebuilt()).toBe(await machine.dump())
  })

  it('leaves the source and its folder as they were, byte for byte', async () => {
    const path = oldDatabase({ shape: 'A', rows, centroids: 2 })
    const before = contents(dirname(path))
    const machine = new Machine()
    await machine.run('import', path, '--dry-run')
    await machine.run('import', path)
    expect(contents(dirname(path))).toEqual(before)
  })

  it('twice, and from a copy of the file, adds nothing; a later state of it adds what is new', async () => {
    const path = oldDatabase({ shape: 'A', rows, edges: [edge(A, B)] })
    const machine = new Machine()
    const first = await machine.json('import', path, '--namespace', 'mine')
    expect(first).toMatchObject({ events: { fresh: 7, known: 0 } })
    const lines = machine.lines()
    const dump = await machine.dump()
    expect(await machine.json('import', path, '--namespace', 'mine')).toMatchObject({
      events: { fresh: 0, known: 7 },
      created: 0,
    })
    const copy = join(tempDir(), 'other-name.db')
    writeFileSync(copy, readFileSync(path))
    expect(await machine.json('import', copy, '--namespace', 'mine')).toMatchObject({ events: { fresh: 0, known: 7 } })
    expect(machine.lines()).toEqual(lines)
    expect(await machine.dump()).toBe(dump)

    const db = new Database(copy)
    db.prepare("INSERT INTO memory_blocks VALUES (?, 'text', 'new', '', '', '', ?, ?)").run(oldId('new'), TIME, TIME)
    db.close()
    const report = await machine.json('import', copy, '--namespace', 'mine')
    expect(report).toMatchObject({ events: { fresh: 2, known: 7 }, created: 1 })
    const known = machine.said('commit').map(({ clock }) => Number(clock))
    expect(new Set(known).size).toBe(known.length)
    expect(await machine.rebuilt()).toBe(await machine.dump())
  })
})

describe('import of phase B', () => {
  const rows = [
    { text: A, vector: '[0.5,-1]', fingerprint: 'http:m:2:00000000' },
    { text: B, vector: '[]', fingerprint: 'http:m:2:00000000' },
    { text: C, vector: '[1,null]', fingerprint: 'f' },
    { text: 'no space', vector: '[1]' },
    { text: 'nothing' },
  ]

  it.each(['B', 'unfinished B'] as const)('%s brings vectors along, or says why not', async shape => {
    const machine = new Machine()
    const report = await machine.json('import', oldDatabase({ shape, rows, centroids: 3 }))
    expect(report).toMatchObject({
      phase: shape,
      userVersion: shape === 'B' ? 1 : 0,
      blocks: 5,
      vectors: 1,
      noVector: {
        'import: the vector is empty': 1,
        'import: the vector is not finite': 1,
        'import: the vector has no fingerprint': 1,
        'import: the source has no vector': 1,
      },
      centroid: { kind: 'new', rows: 3 },
    })
    const said = machine.said('commit').find(({ text }) => text === A)
    const vector = said?.vector as { space: string; data: string }
    expect(vector.space).toBe('http:m:2:00000000')
    const bytes = Buffer.from(vector.data, 'base64')
    expect([bytes.length, bytes.readFloatLE(0), bytes.readFloatLE(4)]).toEqual([8, 0.5, -1])
    expect(machine.said('commit').find(({ text }) => text === B)).toMatchObject({
      noVector: 'import: the vector is empty',
    })
  })

  it.each(['old', 'new'] as const)('reports a populated centroid of %s form, which stays readable', async centroid => {
    const path = oldDatabase({ shape: 'unfinished B', rows, centroid, centroids: 2 })
    const { remarks } = await new Machine().run('import', path)
    expect(remarks.join('\n')).toContain('2 centroids')
    const db = new Database(path, { readonly: true })
    expect(db.prepare('SELECT count(*) FROM graph_centroid').pluck().get()).toBe(2)
    db.close()
  })

  it('brings vectors to what was imported from the same file before it had them', async () => {
    const machine = new Machine()
    await machine.run('import', oldDatabase({ shape: 'A', rows: [{ text: A }] }), '--namespace', 'mine')
    const report = await machine.json(
      'import',
      oldDatabase({ shape: 'B', rows: rows.slice(0, 1) }),
      '--namespace',
      'mine',
    )
    expect(report).toMatchObject({ vectors: 1, created: 0, events: { fresh: 1, known: 1 } })
  })
})

describe('rows', () => {
  it('with equal canonical text become one block with two other names', async () => {
    const machine = new Machine()
    const edges = [edge(A, B), edge(A_TOO, B), edge(A, A_TOO)]
    const report = await machine.json(
      'import',
      oldDatabase({ shape: 'A', rows: [{ text: A }, { text: A_TOO }, { text: B }], edges }),
    )
    expect(report).toMatchObject({
      rows: 3,
      blocks: 2,
      duplicates: 1,
      aliases: 3,
      edges: 2,
      edgesSkipped: { 'both ends are one block': 1 },
    })
    await machine.withStore(({ database }) => {
      const [one, two] = lookup(database, { ids: [oldId(A), oldId(A_TOO)] })
      expect([one?.representative, two?.representative]).toEqual([blockId(A), blockId(A)])
      expect(new Set(one?.family)).toEqual(new Set([blockId(A), oldId(A), oldId(A_TOO)]))
      expect(database.prepare("SELECT count(*) FROM memory_block_edges WHERE status = 'active'").pluck().get()).toBe(1)
    })
  })

  it('that no memory can be made of are reported by id and passed over', async () => {
    const large = 'x'.repeat((4 << 20) + 1)
    const rows = [
      { text: A },
      { text: '', id: 'blk_000000000001' },
      { text: ' \n', id: 'blk_000000000002' },
      { text: 'a\0b', id: 'blk_000000000003' },
      { text: large, id: 'blk_000000000004' },
      { text: null, id: 'blk_000000000005' },
      { text: Buffer.from('bytes'), id: 'blk_000000000006' },
      { text: 'a picture', modality: 'image', id: 'blk_000000000007' },
    ]
    const edges = [
      { source: oldId(A), target: 'blk_000000000001', type: 'near' },
      { source: oldId(A), target: 'blk_ffffffffffff', type: 'near' },
      { source: oldId(A), target: 'staging', targetKind: 'entity', type: 'mentions' },
      { source: oldId(A), target: 'staging', targetKind: 'galaxy', type: 'mentions' },
      { source: oldId(A), target: 'x', targetKind: 'entity', type: 'not a type!' },
      { source: oldId(A), target: 'x', targetKind: 'entity', type: 'near', status: 'merged' },
      { source: oldId(A), target: 'y', targetKind: 'entity', type: 'near', confidence: 7 },
    ]
    const machine = new Machine()
    const report = await machine.json('import', oldDatabase({ shape: 'A', rows, edges }))
    expect(report).toMatchObject({
      rows: 8,
      blocks: 1,
      skipped: { empty_text: 2, nul: 1, too_large: 1, not_text: 2, 'modality image': 1 },
      edges: 2,
      edgesSkipped: {
        'endpoint not imported': 1,
        'endpoint missing': 1,
        'kind galaxy': 1,
        'status merged': 1,
      },
    })
    expect(Object.keys(report.edgesSkipped as object)).toHaveLength(5)
    expect(report.skippedRows).toContainEqual({ id: 'blk_000000000004', reason: 'too_large' })
    const { remarks } = await machine.run('import', oldDatabase({ shape: 'A', rows }))
    expect(remarks).toContain('  blk_000000000003: nul')
  })

  it('with metadata no event can hold keep their text', async () => {
    const machine = new Machine()
    const rows = [{ text: A, source: 's'.repeat(600), scene: 'a\0b', time: 'once', id: 'not an id of ours' }]
    expect(await machine.json('import', oldDatabase({ shape: 'A', rows }))).toMatchObject({
      blocks: 1,
      aliases: 0,
      undated: 1,
    })
    expect(machine.said('commit')).toMatchObject([{ text: A, source: 's'.repeat(500), scene: 'ab', at: { time: 0 } }])
  })

  it('with secrets come without them, and without a vector made of them', async () => {
    const secret = `ghp_${'aB3dE6gH9j'.repeat(4).slice(0, 36)}`
    const text = `the deploy token is ${secret}`
    const rows = [
      { text, vector: '[1]', fingerprint: 'f' },
      { text: B, vector: '[1]', fingerprint: 'f', source: secret },
    ]
    const edges = [{ source: oldId(text), target: `use ${secret} here`, targetKind: 'sentence', type: 'mentions' }]
    const machine = new Machine()
    const report = await machine.json('import', oldDatabase({ shape: 'B', rows, edges }))
    expect(report).toMatchObject({
      blocks: 2,
      vectors: 1,
      edges: 1,
      noVector: { 'import: the text was redacted': 1 },
    })
    expect(machine.lines().join('\n')).not.toContain(secret)
    expect(await machine.dump()).not.toContain(secret)
    const [said] = machine.said('commit')
    expect(said).toMatchObject({ redacted: ['github_token'], noVector: 'import: the text was redacted' })
    await machine.withStore(({ database }) => {
      expect(lookup(database, { ids: [oldId(text)] })).toMatchObject([{ state: 'living' }])
    })
  })

  it('that were purged here do not come back, and are not written again', async () => {
    const machine = new Machine()
    const path = oldDatabase({ shape: 'A', rows: [{ text: A }, { text: B }], edges: [edge(A, B)] })
    await machine.run('import', path, '--namespace', 'mine')
    const [said] = machine.said('commit')
    machine.journalOnly([
      {
        type: 'hologram/purge',
        data: {
          v: 1,
          id: eventId(900),
          clock: 900,
          ns: said?.ns,
          at: { time: 1 },
          ids: [blockId(A), oldId(A)],
          reason: '',
          origin: 'tool',
        },
      },
    ])
    const lines = machine.lines()
    // Another row of the same text, which has another event.
    const later = oldDatabase({ shape: 'A', rows: [{ text: A_TOO, time: TIME + 9 }, { text: B }] })
    expect(await machine.json('import', later, '--namespace', 'mine')).toMatchObject({ purged: 1, created: 0 })
    expect(machine.lines().filter(line => !lines.includes(line) && line.includes('8080'))).toEqual([])
    await machine.withStore(({ database }) => {
      expect(database.prepare('SELECT text_content FROM memory_blocks').pluck().all()).toEqual([B])
    })
  })

  it('say the same in whatever order, and any texts come through', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }), { minLength: 1, maxLength: 12 }),
        async texts => {
          const machine = new Machine()
          const path = oldDatabase({ shape: 'A', rows: texts.map(text => ({ text })) })
          const report = await machine.json('import', path)
          const skipped = Object.values(report.skipped as Record<string, number>).reduce((sum, count) => sum + count, 0)
          expect(skipped + Number(report.blocks) + Number(report.duplicates)).toBe(texts.length)
          expect(await machine.rebuilt()).toBe(await machine.dump())
        },
      ),
      { numRuns: 15 },
    )
  })
})

describe('the namespace', () => {
  it('is that of the project the file lies in, as the plugin finds it', async () => {
    const path = oldDatabase({ shape: 'A', rows: [{ text: A }] })
    const project = dirname(dirname(path))
    const link = join(tempDir(), 'link')
    symlinkSync(project, link)
    const session = (cwd: string) => ({ header: { id: 's', cwd } }) as never
    const plugin = await new Namespaces('project', async () => undefined).of(session(link))
    expect(importNamespace(path, { namespaces: [], project: undefined })).toEqual(plugin)
    expect(importNamespace(path, { namespaces: [], project: link })).toEqual(plugin)
    expect(plugin.label).toBe(basename(project))
    const named = await new Namespaces('mine', async () => undefined).of(undefined)
    expect(importNamespace(path, { namespaces: ['mine'], project: undefined })).toEqual(named)
    const report = await new Machine().json('import', path)
    expect(report.namespace).toEqual(plugin)
  })

  it('has to be said where the file lies elsewhere, and only once', async () => {
    const path = oldDatabase({ shape: 'A', rows: [] }, join(tempDir(), 'memory.db'))
    const machine = new Machine()
    await expect(machine.run('import', path)).rejects.toThrow(/--project DIR/)
    await expect(machine.run('import', path, '--namespace', 'a', '--project', '.')).rejects.toThrow(/one/)
    await expect(machine.run('import', path, '--namespace', 'a', '--namespace', 'b')).rejects.toThrow(/one/)
    await expect(machine.run('import', path, '--namespace', `ns_${'a'.repeat(24)}`)).rejects.toThrow(/name/)
    await expect(machine.run('import', path, '--project', join(path, 'no'))).rejects.toThrow(/no folder/)
    expect(readdirSync(machine.home)).toEqual([])
  })
})

describe('import refuses', () => {
  it('what is no old database, with nothing written', async () => {
    const folder = tempDir()
    const machine = new Machine()
    const foreign = join(folder, 'foreign.db')
    const db = new Database(foreign)
    db.exec('CREATE TABLE songs (title TEXT)')
    db.close()
    writeFileSync(join(folder, 'notes.txt'), 'notes')
    await expect(machine.run('import', foreign)).rejects.toThrow(/another application.*Nothing was imported/s)
    await expect(machine.run('import', join(folder, 'notes.txt'))).rejects.toThrow(/neither/)
    await expect(machine.run('import', join(folder, 'nowhere.db'))).rejects.toThrow(/no file/)
    await expect(machine.run('import', folder)).rejects.toThrow(/no file/)
    await expect(machine.run('import')).rejects.toThrow(/one file/)
    expect(readdirSync(machine.home)).toEqual([])
    const ours = new Machine()
    await ours.withStore(store => store.fold([commit(1, 'one')]))
    await expect(machine.run('import', ours.path)).rejects.toThrow(/export/)
  })

  it('when the database it should go to cannot be used', async () => {
    const machine = new Machine()
    mkdirSync(dirname(machine.path), { recursive: true })
    const other = new Database(machine.path)
    other.exec('CREATE TABLE songs (title TEXT)')
    other.close()
    await expect(machine.run('import', oldDatabase({ shape: 'A', rows: [{ text: A }] }))).rejects.toThrow(
      /another application/,
    )
    expect(readdirSync(machine.journal)).toEqual([])
  })
})

describe('a dry run', () => {
  it('says exactly what the import then does, and writes nothing', async () => {
    const rows = [{ text: A }, { text: A_TOO }, { text: '' }, { text: B, vector: '[1]', fingerprint: 'f' }]
    const path = oldDatabase({ shape: 'B', rows, edges: [edge(A, B), edge(A, C)], centroids: 1 })
    const machine = new Machine()
    machine.journalOnly([commit(1, 'there')])
    const before = contents(machine.home)
    const dry = await machine.json('import', path, '--dry-run')
    expect(contents(machine.home)).toEqual(before)
    expect(dry).toMatchObject({ dryRun: true, rows: 4, blocks: 2, duplicates: 1, edges: 1, events: { fresh: 7 } })
    expect(await machine.json('import', path)).toEqual({ ...dry, dryRun: false })
    const fresh = new Machine()
    await fresh.run('import', path, '--dry-run')
    expect(readdirSync(fresh.home)).toEqual([])
  })
})

describe('ids of imported events', () => {
  it('are valid, and follow from the content alone', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (a, b) => {
        expect(isEventId(importedEventId(...a))).toBe(true)
        // A ULID has 128 bits in 130.
        expect(importedEventId(...a).charAt(4) < '8').toBe(true)
        expect(importedEventId(...a) === importedEventId(...b)).toBe(JSON.stringify(a) === JSON.stringify(b))
      }),
    )
  })
})

describe('two imports at once', () => {
  const path = oldDatabase({ shape: 'A', rows: [{ text: A }] })

  it('wait for each other: the second is refused while the first is alive', async () => {
    const machine = new Machine()
    mkdirSync(machine.journal, { recursive: true })
    const lock = join(machine.journal, 'import.lock')
    writeFileSync(lock, String(process.pid))
    await expect(machine.run('import', path)).rejects.toThrow(/another import is at work/)
    expect(existsSync(machine.path)).toBe(false)
    expect(await machine.json('import', path, '--dry-run')).toMatchObject({ blocks: 1 })
    expect(readFileSync(lock, 'utf8')).toBe(String(process.pid))
  })

  it('that was killed does not stand in the way', async () => {
    const machine = new Machine()
    mkdirSync(machine.journal, { recursive: true })
    const dead = spawnSync(process.execPath, ['-e', '']).pid
    writeFileSync(join(machine.journal, 'import.lock'), String(dead))
    expect(await machine.json('import', path)).toMatchObject({ created: 1 })
    expect(readdirSync(machine.journal).filter(name => !name.endsWith('.jsonl'))).toEqual([])
  })
})

describe('a file that is in use', () => {
  it('is read as it is at that moment, its WAL included', async () => {
    const path = join(tempDir(), '.dsh-memory', 'memory.db')
    const db = openOld({ shape: 'A', rows: [{ text: A }] }, path)
    db.pragma('journal_mode = WAL')
    db.prepare("INSERT INTO memory_blocks VALUES (?, 'text', ?, '', '', '', 1, 1)").run(oldId(B), B)
    const before = contents(dirname(path))
    expect(await new Machine().json('import', path)).toMatchObject({ blocks: 2 })
    expect(contents(dirname(path))).toEqual(before)
    db.close()
  })
})

describe('identity', () => {
  it('of a named namespace is a hash of the name', () => {
    const { id } = importNamespace('x.db', { namespaces: ['mine'], project: undefined })
    expect(id).toBe(`ns_${shortHash('name:mine')}`)
  })
})
