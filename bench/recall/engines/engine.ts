import type { Language } from '../synthetic.ts'

/** A search engine under measure. Blocks are numbered from 0 in the order they are added. */
export interface Engine {
  /** Adds blocks; called once, with all of them. */
  fill(texts: readonly string[]): Promise<void> | void
  /** Adds one more block, as its own acknowledged write. */
  addOne(text: string): Promise<void> | void
  /** Drops what answers may have left in memory, where the engine lets us. */
  forget?(): void
  /** The ten best blocks. */
  ask(question: string): Promise<readonly number[]> | readonly number[]
  close(): void
}

/** Where an engine may keep files, and what language it is to expect. */
export interface Setting {
  readonly folder: string
  readonly language: Language
}

export type EngineMaker = (setting: Setting) => Promise<Engine> | Engine
