import type { Database } from 'better-sqlite3'
import { indexBlock } from '../../src/readmodels/recall/index.ts'
import { type EvaluationSet, parseTime } from './evaluationSet.ts'
import { openMemory } from './memoryTables.ts'

export interface LoadedSet {
  readonly db: Database
  /** Namespace by scope. */
  readonly spaces: ReadonlyMap<string, number>
}

/**
 * Loads a set as memory would hold it: one namespace a scope; lines of a conversation with their place in it, facts without.
 * Lines of one wording stay apart here, as the set's gold answers name each of them.
 */
export function loadSet(set: EvaluationSet): LoadedSet {
  const db = openMemory()
  const spaces = new Map<string, number>()
  const insert = db.prepare(
    `INSERT INTO memory_blocks (row, ns, id, text_content, source, frame_ts, created_at, speaker, first_clock, first_event, last_clock, last_event)
     VALUES (?, ?, ?, ?, 'eval', ?, ?, ?, ?, ?, ?, ?)`,
  )
  db.transaction(() => {
    set.corpus.forEach((line, i) => {
      const scope = line.scope ?? ''
      const ns = spaces.get(scope) ?? spaces.size + 1
      spaces.set(scope, ns)
      const row = i + 1
      const saidAt = parseTime(line.time)
      const event = `evt_${String(row).padStart(8, '0')}`
      insert.run(row, ns, line.id, line.text, saidAt ?? null, saidAt ?? 0, line.speaker ?? '', row, event, row, event)
      const spoken = set.kind === 'conversation' && line.session !== undefined
      indexBlock(db, {
        row,
        ns,
        canonicalText: line.text.normalize('NFC').replace(/\s+/g, ' ').trim(),
        clock: row,
        event,
        ...(saidAt !== undefined && { saidAt }),
        ...(spoken && {
          conversation: {
            session: line.session ?? '',
            position: row,
            ...(line.speaker !== undefined && { speaker: line.speaker }),
            ...(saidAt !== undefined && { saidAt }),
          },
        }),
      })
    })
  })()
  return { db, spaces }
}
