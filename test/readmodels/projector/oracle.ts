/** What a list of commits should come to, worked out from the definition and not by the fold. */
import type { Database } from 'better-sqlite3'
import { blockId, type CommitEvent, compareOrder, type StoredEvent } from '../../../src/events/index.ts'

/** `[namespace, block, text, scene, source, created at, updated at]` of every block, sorted. */
export function expectedBlocks(events: readonly StoredEvent[]): unknown[][] {
  const said = new Map<string, CommitEvent[]>()
  for (const { data } of events) {
    const commit = data as CommitEvent
    const key = `${commit.ns.id} ${blockId(commit.text)}`
    said.set(key, [...(said.get(key) ?? []), commit])
  }
  return Array.from(said, ([key, commits]) => {
    const inOrder = commits.sort(compareOrder)
    const latest = (field: 'scene' | 'source') => inOrder.findLast(commit => commit[field])?.[field] ?? ''
    const [first] = inOrder
    // what a database stores of a lone surrogate
    const text = first?.text.toWellFormed()
    return [...key.split(' '), text, latest('scene'), latest('source'), first?.at.time, inOrder.at(-1)?.at.time]
  }).sort(byKey)
}

export function storedBlocks(db: Database): unknown[][] {
  const rows = db
    .prepare(`SELECT n.id, b.id, text_content, scene, source, created_at, updated_at
      FROM memory_blocks b JOIN namespaces n USING (ns)`)
    .raw()
    .all() as unknown[][]
  return rows.sort(byKey)
}

function byKey(a: readonly unknown[], b: readonly unknown[]): number {
  return `${a[0]} ${a[1]}` < `${b[0]} ${b[1]}` ? -1 : 1
}
