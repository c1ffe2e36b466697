import type { EngineMaker } from './engine.ts'
import { rankedOr, trigram } from './fts5.ts'
import { ours } from './ours.ts'
import { holographic, miniSearch } from './peers.ts'

export const ENGINES: Readonly<Record<string, EngineMaker>> = {
  recall: ours,
  'FTS5 OR, ranked': rankedOr,
  'FTS5 trigram': trigram,
  MiniSearch: miniSearch,
  'mnemon holographic': holographic,
}
