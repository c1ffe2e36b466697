/**
 * What stands in the place of one of our events: a splice of the agent's inbox that removes and inserts nothing. It is
 * an event every host knows, that may stand anywhere in a log (splices come while answers stream), that the inbox
 * replays without effect whatever it holds, that counts as no consumed work, and that format migrations pass. It is not
 * marked ignorable: the host marks none of its own.
 */
export const NOOP_TYPE = 'agent/inbox/spliced'

/** The stored line of the no-op, without its line end, in the member order in which hosts write events. */
export function noopLine(seq: number, time: number): string {
  return JSON.stringify({ type: NOOP_TYPE, seq, time, data: { target: 'next-turn', start: 0, inserted: [] } })
}
