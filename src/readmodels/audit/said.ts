/** Places listed with a block; `places` counts them all. */
const PLACES = 20

/** Where a block was said, by namespace number and id: rows of `Said`, oldest first. */
export const SAID = `SELECT event, session, turn, step, seq, time, origin FROM block_sources
  WHERE ns = ? AND block = ? AND dead = 0 ORDER BY clock, event LIMIT ${PLACES}`
