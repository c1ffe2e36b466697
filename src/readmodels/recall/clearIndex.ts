import type { Database } from 'better-sqlite3'

/**
 * Empties the recall index before a rebuild in place. Generations go on rising, so that what a process holds in memory
 * from before is seen to be stale.
 */
export function clearRecallIndex(db: Database): void {
  db.exec(`INSERT INTO memory_blocks_fts (memory_blocks_fts) VALUES ('delete-all');
    DELETE FROM recall_fresh; DELETE FROM symbol; DELETE FROM recall_terms; DELETE FROM recall_rank; DELETE FROM recall_fact;
    UPDATE recall_space SET blocks = 0, length = 0, lines = 0, line_length = 0, top = 0, epoch = epoch + 1;
    UPDATE recall_whole SET top = 0, epoch = epoch + 1, fresh = 0, fresh_epoch = fresh_epoch + 1;
  `)
}
