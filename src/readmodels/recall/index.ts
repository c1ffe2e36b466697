/** Recall: the index of blocks and the answers from it. Synchronous, on one SQLite connection. */
export { clearRecallIndex } from './clearIndex.ts'
export { type BlockToIndex, type ConversationPlace, indexBlock, indexNewBlock, unindexBlock } from './indexBlock.ts'
export { forgetMemory } from './memory.ts'
export { recall } from './recall.ts'
export { replacementsOf } from './replacements.ts'
export type {
  Fusion,
  RecallCounters,
  RecallFilters,
  RecallHit,
  RecallOutcome,
  RecallRequest,
  RecallResult,
  SupersededHit,
  SupersedesEdge,
  VectorHit,
} from './request.ts'
export { RECALL_SCHEMA } from './schema.ts'
export { visibleRows } from './visible.ts'
