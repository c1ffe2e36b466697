import type { HistoryAnswer } from '../port.ts'
import { shownTime } from '../shown-time.ts'
import type { BlockView, Replacement } from './port.ts'

/** The lines that show a memory to people as it is now: text, where it was said, its ties and vectors. */
export function* describeBlock(view: BlockView): Generator<string> {
  const {
    id,
    ids,
    label,
    namespace,
    state,
    text,
    source,
    scene,
    semanticType,
    said,
    places,
    edges,
    spaces,
    replacements,
  } = view
  yield `${id}  in ${label} (${namespace})${state === 'purged' ? ': purged' : ''}`
  if (text !== null) yield `  ${text.replaceAll('\n', '\n  ')}`
  const others = ids.filter(one => one !== id)
  if (others.length > 0) yield `  also known as ${others.join(', ')}`
  const about = Object.entries({ source, scene, kind: semanticType }).filter(([, value]) => value !== '')
  if (about.length > 0) yield `  ${about.map(([name, value]) => `${name} ${value}`).join(', ')}`
  for (const place of said) yield `  said ${shownTime(place.time)} by ${place.origin}, ${placeOf(place)}`
  if (places > said.length) yield `  … ${places} times in all`
  for (const edge of edges) yield `  ${edge.sourceId} ${edge.type} ${edge.targetId}`
  for (const one of replacements) yield `  ${describeReplacement(one, ids)}`
  for (const space of spaces) yield `  vector in ${space}`
}

/**
 * The lines that show every event that touched a memory, and what replaced it. Which of its ids an event names is said
 * where there are several. `withEvents`: with the id of each event.
 */
export function* describeHistory(answer: HistoryAnswer, withEvents = false): Generator<string> {
  const { ids, text, entries, total, replacements } = answer
  if (text !== null) yield `It says: ${text}`
  if (ids.length > 1) yield `One memory: ${ids.join(', ')}`
  for (const entry of entries) {
    const { time, event, block, what, wording } = entry
    const place = [shownTime(time), placeOf(entry), ...(withEvents ? [event] : [])].join(', ')
    // A merge names both ids itself.
    const which = ids.length > 1 && entry.verb !== 'merge' ? `${block} ` : ''
    yield `${place}: ${which}${what}${wording === null ? '' : `: ${wording}`}`
  }
  if (total > entries.length) yield `… ${total} events in all`
  for (const one of replacements) yield `Now: ${describeReplacement(one, ids)}`
}

/** What became of a block, or of another because of it, in words. `ids`: those that mean the block. */
function describeReplacement({ id, text, by, byText, reason }: Replacement, ids: readonly string[]): string {
  return ids.includes(id) ? `replaced by ${by} (${reason}): ${byText}` : `replaces ${id} (${reason}): ${text}`
}

/** Where an event is, in words. */
export function placeOf({ session, seq }: { readonly session: string; readonly seq: number | null }): string {
  if (session === '') return 'outside of any session'
  return seq === null ? `session ${session}` : `session ${session}, event ${seq}`
}
