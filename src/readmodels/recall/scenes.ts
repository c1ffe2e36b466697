import type { Database } from 'better-sqlite3'
import { isInScene, sceneKey } from '../analyse/index.ts'
import { statement } from './statements.ts'

/**
 * The scenes of a namespace, as its blocks write them, that are the one asked for or lie below it. The few distinct
 * spellings are compared by key in code: no pattern, so `_`, `%` and `\` are letters.
 */
export function spellingsOf(db: Database, ns: number, scene: string): string[] {
  const asked = sceneKey(scene)
  const all = statement(db, "SELECT DISTINCT scene FROM memory_blocks WHERE ns = ? AND scene <> ''")
    .pluck()
    .all(ns) as string[]
  return all.filter(one => isInScene(sceneKey(one), asked))
}

/** The scene a request names; one without a letter or digit names none. */
export function askedScene(scene: string | undefined): string | undefined {
  return scene === undefined || sceneKey(scene) === '' ? undefined : scene
}
