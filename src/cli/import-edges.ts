import {
  ENDPOINT_KINDS,
  type EndpointKind,
  eventName,
  LINK_VERSION,
  type LinkEvent,
  type Namespace,
  readEvent,
} from '../events/index.ts'
import type { LegacyEdge } from '../readmodels/legacy/index.ts'
import { importedEventId } from './import-event-id.ts'
import { importedName } from './import-text.ts'

/** What became of the old rows: the block of each old id, or `undefined` where the row was not taken. */
export type NewIds = ReadonlyMap<string, string | undefined>

/** An edge in our ids, short of its clock, or why it is not taken. */
export type ImportedEdge = { link(clock: number): LinkEvent } | { readonly skipped: string }

/** Decides an edge. The ends that are blocks get their new ids; an edge that lost an end has nothing to hold on to. */
export function decideEdge(edge: LegacyEdge, ids: NewIds, ns: Namespace): ImportedEdge {
  if (edge.status !== 'active') return { skipped: `status ${edge.status.slice(0, 40)}` }
  const source = endpoint(edge.sourceKind, edge.sourceId, ids)
  const target = endpoint(edge.targetKind, edge.targetId, ids)
  if (typeof source === 'string') return { skipped: source }
  if (typeof target === 'string') return { skipped: target }
  if (source.kind === target.kind && source.id === target.id) return { skipped: 'both ends are one block' }
  const content: Omit<LinkEvent, 'id' | 'clock'> = {
    v: LINK_VERSION,
    ns,
    at: place(edge),
    sourceKind: source.kind,
    sourceId: source.id,
    targetKind: target.kind,
    targetId: target.id,
    type: edge.type,
    ...confidence(edge.confidence),
    origin: 'import',
  }
  const id = importedEventId('link', content)
  const link = (clock: number): LinkEvent => ({ ...content, id, clock })
  const read = readEvent(eventName('link'), link(1))
  if (read.kind === 'event') return { link }
  return { skipped: 'detail' in read ? `malformed: ${read.detail}` : read.kind }
}

function endpoint(
  name: string,
  id: string,
  ids: NewIds,
): { readonly kind: EndpointKind; readonly id: string } | string {
  const kind = ENDPOINT_KINDS.find(known => known === name)
  if (kind === undefined) return `kind ${name.slice(0, 40)}`
  if (kind === 'entity' || kind === 'sentence') return { kind, id: importedName(id) }
  if (kind === 'document') return { kind, id }
  if (!ids.has(id)) return 'endpoint missing'
  const block = ids.get(id)
  return block === undefined ? 'endpoint not imported' : { kind, id: block }
}

function place({ session, turn, time }: LegacyEdge): LinkEvent['at'] {
  return {
    ...(session === undefined || session.length > 500 ? {} : { session: session.toWellFormed() }),
    ...(turn === undefined ? {} : { turn }),
    time: time ?? 0,
  }
}

function confidence(value: number | undefined): { confidence?: number } {
  return value === undefined || !(value >= 0 && value <= 1) ? {} : { confidence: value + 0 }
}
