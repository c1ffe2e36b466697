/** What deciding must know of blocks, by id. It comes in from outside: commands read no database. */
export interface Known {
  readonly state: 'living' | 'purged' | 'unknown'
  /** The id that stands for it now. */
  readonly representative: string
  /** Every id that means the same block. */
  readonly family: readonly string[]
}

export type KnownBlocks = ReadonlyMap<string, Known>
