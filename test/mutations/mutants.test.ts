/** `src` with one law broken each: that the properties find these shows what they are worth. */
import { afterAll, describe, expect, it } from 'vitest'
import { removeTempDirs } from '../support/temp.ts'
import { brokenLaws, type Mutation } from './mutants.ts'

afterAll(removeTempDirs)

const PROJECTOR = 'readmodels/projector'
const OF_ANY = `IN (\${EVERYWHERE}, ?)`
const OF_EACH = `IN (\${EVERYWHERE}, ?, ns)`

const MUTATIONS: Readonly<Record<string, ReadonlyArray<readonly [name: string, mutation: Mutation]>>> = {
  'a tombstone is skipped on replay': [
    ['by a commit that is met after it', edit('blocks', 'const dead = covers(tombstone, event)', 'const dead = false')],
    ['by what is captured again', edit('tombstones', '< 0 || CAPTURED.has(commit.origin)', '< 0')],
    [
      'by commits that were folded before',
      edit('blocks', 'if (covers(tombstone, commit)) sources', 'if (false) sources'),
    ],
    [
      'by reasons of recalls',
      edit('recalls', "tombstone !== undefined && compareOrder(event, tombstone) < 0 ? '' : why", 'why'),
    ],
    ['by other namespaces, though it is for all', edit('tombstones', OF_ANY, 'IN (?)')],
  ],
  'an event is counted twice': [
    [
      'because each sighting is another event',
      edit(
        'projector',
        'const { id } = event.data\n',
        `const { id } = Object.assign(event.data, { id: 'evt_' + String(performance.now()).replace('.', '').padStart(26, '0').slice(-26) })\n`,
      ),
    ],
  ],
  'the wall clock is used for order': [
    ['of commits', edit('blocks', 'compareOrder(said, before.state.last) > 0', 'said.time > before.state.updatedAt')],
    [
      'of tombstones',
      edit('tombstones', 'SELECT clock, event AS id', 'SELECT time - 1699999999999 AS clock, event AS id'),
    ],
    ['of merges', edit('aliases', 'm.keep, m.clock, m.event\n', 'm.keep, m.time - 1699999999999 AS clock, m.event\n')],
    ['of edges', edit('edges', '(a, b) => a.clock - b.clock ||', '(a, b) => a.time - b.time ||')],
    [
      'of histories',
      {
        file: 'readmodels/audit/history.ts',
        from: '.sort((a, b) => a.clock - b.clock ||',
        to: '.sort((a, b) => a.time - b.time ||',
      },
    ],
  ],
  'redaction comes after hashing': [
    ['for the id of a block', { file: 'commands/commit.ts', from: 'block: blockId(text)', to: 'block: blockId(said)' }],
    [
      'for its text',
      { file: 'commands/commit.ts', from: '      text,\n      ...fields', to: '      text: said,\n      ...fields' },
    ],
    ['for the name of an entity', { file: 'commands/link.ts', from: 'redact(id, rulesFor(redaction)).text', to: 'id' }],
  ],
  'the namespace is missing from one query': [
    [
      'of commits',
      edit('sources', "'SELECT * FROM block_sources WHERE ns = ? AND", "'SELECT * FROM block_sources WHERE ? > 0 AND"),
    ],
    ['of tombstones', edit('tombstones', OF_ANY, OF_EACH)],
    ['of merges', edit('aliases', `VALUES (\${EVERYWHERE}), (@ns)`, `SELECT ns FROM merges WHERE @ns > 0`)],
    [
      'of edges',
      edit(
        'edges',
        'WHERE ns = ? AND source_kind = ? AND source_id = ? AND target_kind = ? AND target_id = ?',
        'WHERE ? > 0 AND source_kind = ? AND source_id = ? AND target_kind = ? AND target_id = ?',
      ),
    ],
    [
      'of the last recall',
      edit('block-rows', 'time FROM recall_hits WHERE ns = ? AND', 'time FROM recall_hits WHERE ? > 0 AND'),
    ],
    [
      'of a lookup',
      {
        file: 'readmodels/audit/lookup.ts',
        from: "'SELECT 1 FROM memory_blocks WHERE ns = ? AND",
        to: "'SELECT 1 FROM memory_blocks WHERE ? > 0 AND",
      },
    ],
    [
      'of a history',
      {
        file: 'readmodels/audit/history.ts',
        from: 'FROM block_sources WHERE ns = @ns AND',
        to: 'FROM block_sources WHERE @ns > 0 AND',
      },
    ],
    [
      'of the places of a hit',
      {
        file: 'readmodels/audit/said.ts',
        from: 'WHERE ns = ? AND block = ? AND dead = 0',
        to: 'WHERE ? > 0 AND block = ? AND dead = 0',
      },
    ],
    [
      'of the count of those places',
      { file: 'readmodels/worker/answer.ts', from: 'WHERE s.ns = b.ns AND s.block', to: 'WHERE s.block' },
    ],
    [
      'of a recall',
      {
        file: 'readmodels/worker/answer.ts',
        from: "return scope === 'all' ? allNamespaces(db) : namespaceNumbers(db, namespace)",
        to: 'return allNamespaces(db, scope, namespace)',
      },
    ],
    [
      'of what supersedes',
      {
        file: 'readmodels/supersedes.ts',
        from: "e ON e.ns = loser.ns AND e.target_kind = 'block' AND e.target_id = loser.id\n       JOIN memory_blocks winner ON winner.ns = e.ns",
        to: "e ON e.target_kind = 'block' AND e.target_id = loser.id\n       JOIN memory_blocks winner ON winner.ns = loser.ns",
      },
    ],
  ],
  'a fold checks endpoints': [
    [
      'of edges',
      edit(
        'edges',
        "const confidence = 'confidence' in event",
        "if (db.prepare('SELECT 1 FROM memory_blocks WHERE ns = ? AND id = ?').get(ns, sourceId) === undefined) return\n      const confidence = 'confidence' in event",
      ),
    ],
    [
      'of merges',
      edit(
        'blocks',
        '      aliases.add(event, event',
        '      if (!rows.has(ns, event.drop)) return\n      aliases.add(event, event',
      ),
    ],
    [
      'of purges',
      edit(
        'blocks',
        '      tombstones.add(event, event',
        '      if (!event.ids.some(id => rows.has(ns, id))) return\n      tombstones.add(event, event',
      ),
    ],
    [
      'of recalls',
      edit(
        'recalls',
        'hits.forEach(({ block, score',
        "hits.filter(({ block }) => db.prepare('SELECT 1 FROM memory_blocks WHERE id = ?').get(block)).forEach(({ block, score",
      ),
    ],
  ],
}

function edit(file: string, from: string, to: string): Mutation {
  return { file: `${PROJECTOR}/${file}.ts`, from, to }
}

describe('the laws', () => {
  it('hold for src as it is', async () => {
    expect(await brokenLaws(undefined, 2)).toEqual({})
  }, 300_000)

  for (const [law, mutations] of Object.entries(MUTATIONS)) {
    it.each(mutations)(
      `are broken where ${law}: %s`,
      async (_, mutation) => {
        expect(Object.keys(await brokenLaws(mutation, 20))).toHaveLength(1)
      },
      300_000,
    )
  }
})
