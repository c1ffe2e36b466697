/** What deciding must know of blocks, by id. It comes in from outside: commands read no database. */
export interface Known {
  readonly state: 'living' | 'purged' | 'unknown'
  /** The id that stands for it now. */
  readonly representative: string
  /** Every id that means the same block. */
  readonly family: readonly string[]
  /** Pages of cold documents that hold its text, where they were looked for. */
  readonly pages?: ReadonlyArray<{ readonly doc: string; readonly page: number }>
}

export type KnownBlocks = ReadonlyMap<string, Known>

/** What helps who named a block that is not there. */
export const WHERE_IDS_ARE = 'take the id of a recalled note: blk_ and 24 hex digits'
