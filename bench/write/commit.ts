import { closeSync, fsyncSync, openSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import * as hologram from '../../src/plugin/index.ts'
import { bootHost } from '../../test/support/host.ts'
import { tempDir } from '../../test/support/temp.ts'
import { fact } from './texts.ts'

const ROUNDS = 4

/** Commits against bare inserts, `atOnce` sharing one fsync on both sides, in alternating rounds. */
export async function commitRatio(commits: number, atOnce: number): Promise<string> {
  const home = tempDir('bench-write-')
  const host = await bootHost({ home })
  await host.mount(hologram, {})
  const { session } = await host.createAgent({ sessionId: 'bench', cwd: home })
  const bare = bareStore(join(home, 'bare.db'))
  let n = 0
  const ours = async (count: number) => {
    for (let done = 0; done < count; done += atOnce) {
      const group = Array.from({ length: atOnce }, () => host.ctx.stablemem.commit({ text: fact(n++) }, { session }))
      await Promise.all(group)
    }
  }
  let m = 0
  const theirs = (count: number) => {
    for (let done = 0; done < count; done += atOnce) bare.insert(Array.from({ length: atOnce }, () => fact(m++)))
  }
  const each = Math.ceil(commits / ROUNDS / atOnce) * atOnce
  await ours(atOnce)
  theirs(atOnce)
  const times = { ours: 0, bare: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    await ours(each)
    const middle = performance.now()
    theirs(each)
    times.ours += middle - start
    times.bare += performance.now() - middle
  }
  await host.stop()
  bare.close()
  const total = each * ROUNDS
  const per = (ms: number) => `${((ms / total) * 1000).toFixed(0)} µs`
  return `commit, ${atOnce} at a time: ours ${per(times.ours)}, bare ${per(times.bare)}, ratio ${(times.ours / times.bare).toFixed(2)}`
}

/** Row and FTS insert in one transaction, then one fsync: what the acknowledgement of a group costs at the least. */
function bareStore(path: string) {
  const db = new Database(path)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT); CREATE VIRTUAL TABLE f USING fts5(text)')
  const row = db.prepare('INSERT INTO t (text) VALUES (?)')
  const word = db.prepare('INSERT INTO f (rowid, text) VALUES (?, ?)')
  const fd = openSync(`${path}-wal`, 'r+')
  return {
    insert: (texts: readonly string[]) => {
      db.transaction(() => {
        for (const text of texts) word.run(row.run(text).lastInsertRowid, text)
      })()
      fsyncSync(fd)
    },
    close: () => {
      closeSync(fd)
      db.close()
    },
  }
}
