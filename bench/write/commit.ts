import { closeSync, fsyncSync, openSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import * as hologram from '../../src/plugin/index.ts'
import { Store } from '../../src/readmodels/worker/store.ts'
import { bootHost } from '../../test/support/host.ts'
import { tempDir } from '../../test/support/temp.ts'
import { commitEvent } from './events.ts'
import { fact } from './texts.ts'

const ROUNDS = 4
/** Commits before the clock runs: a compiler that is still at work costs either side twice as much. */
const WARM = 512

/**
 * Commits against bare inserts, `atOnce` sharing one fsync on both sides, in alternating rounds: through the public path,
 * and only journaled and folded, without the host's session and the way to the worker. Texts, checkpoints of the WAL and
 * what is synced are the same on all sides; rows, provenance, symbols and the session's log are ours alone.
 */
export async function commitRatio(commits: number, atOnce: number): Promise<string> {
  const home = tempDir('bench-write-')
  const host = await bootHost({ home })
  await host.mount(hologram, {})
  const { session } = await host.createAgent({ sessionId: 'bench', cwd: home })
  const bare = bareStore(join(home, 'bare.db'))
  const store = new Store({ path: join(home, 'alone', 'memory.db'), journal: join(home, 'alone', 'journal') })
  let n = 0
  const ours = async (count: number) => {
    for (let done = 0; done < count; done += atOnce) {
      const group = Array.from({ length: atOnce }, () => host.ctx.stablemem.commit({ text: fact(n++) }, { session }))
      await Promise.all(group)
    }
  }
  let k = 0
  const alone = (count: number) => {
    for (let done = 0; done < count; done += atOnce) store.fold(Array.from({ length: atOnce }, () => commitEvent(k++)))
  }
  let m = 0
  const theirs = (count: number) => {
    for (let done = 0; done < count; done += atOnce) bare.insert(Array.from({ length: atOnce }, () => fact(m++)))
  }
  const each = Math.ceil(commits / ROUNDS / atOnce) * atOnce
  await ours(WARM)
  alone(WARM)
  theirs(WARM)
  const times = { ours: 0, alone: 0, bare: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    await ours(each)
    const second = performance.now()
    alone(each)
    const third = performance.now()
    theirs(each)
    times.ours += second - start
    times.alone += third - second
    times.bare += performance.now() - third
  }
  await host.stop()
  store.close()
  bare.close()
  const total = each * ROUNDS
  const per = (ms: number) => `${((ms / total) * 1000).toFixed(0)} µs`
  const ratio = (ms: number) => `ratio ${(ms / times.bare).toFixed(2)}`
  return `commit, ${atOnce} at a time: ours ${per(times.ours)} (${ratio(times.ours)}), of it journal and fold ${per(times.alone)} (${ratio(times.alone)}), bare ${per(times.bare)}`
}

/** Row and FTS insert in one transaction, then one fsync: what the acknowledgement of a group costs at the least. */
function bareStore(path: string) {
  const db = new Database(path)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.pragma('wal_autocheckpoint = 4096')
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
