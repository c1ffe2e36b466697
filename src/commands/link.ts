import {
  CommandRefusedError,
  EDGE_TYPE,
  ENDPOINT_KINDS,
  type EndpointKind,
  isBlockId,
  isDocumentId,
  LINK_VERSION,
  type LinkEvent,
  leading,
  type Origin,
  type UnlinkEvent,
} from '../events/index.ts'
import { type RedactionSettings, redact, rulesFor } from '../redaction/index.ts'
import { type KnownBlocks, WHERE_IDS_ARE } from './known.ts'
import type { Stamp } from './stamp.ts'

const MAX_NAME = 500

/** An edge to make or to end. */
export interface EdgeInput {
  readonly sourceKind: EndpointKind
  readonly sourceId: string
  readonly targetKind: EndpointKind
  readonly targetId: string
  /** Such as `supersedes`, `mentions`, or a word of the caller's own. */
  readonly type: string
  /** In [0, 1]. Only for making. */
  readonly confidence?: number
}

/** An edge by its ends and type. */
export type Edge = Omit<EdgeInput, 'confidence'>

/** The blocks and documents a command about an edge must know of. */
export function idsOfEdge({ sourceKind, sourceId, targetKind, targetId }: EdgeInput): string[] {
  return [...(isKept(sourceKind) ? [sourceId] : []), ...(isKept(targetKind) ? [targetId] : [])]
}

/** Whether memory has to have an end of this kind; others are names that anybody may give. */
function isKept(kind: EndpointKind): boolean {
  return kind === 'block' || kind === 'document'
}

/** Decides an edge. Throws `CommandRefusedError`, which names the endpoint that does not exist. */
export function decideLink(
  input: EdgeInput,
  origin: Origin,
  known: KnownBlocks,
  redaction?: RedactionSettings,
): { stamp(stamp: Stamp): LinkEvent } {
  const edge = withoutSecrets(checkEdge(input, known), redaction)
  const { confidence } = input
  if (confidence !== undefined && !(typeof confidence === 'number' && confidence >= 0 && confidence <= 1)) {
    throw new CommandRefusedError('bad_field', `confidence must be a number from 0 to 1, not ${String(confidence)}`)
  }
  return {
    stamp: stamp => ({
      v: LINK_VERSION,
      ...stamp,
      ...edge,
      ...(confidence === undefined ? {} : { confidence }),
      origin,
    }),
  }
}

/** Decides the end of an edge, as it was named. Ending one that is not there is for `refuseUntied`. */
export function decideUnlink(
  input: EdgeInput,
  origin: Origin,
  redaction?: RedactionSettings,
): { readonly edge: Edge; stamp(stamp: Stamp): UnlinkEvent } {
  const edge = withoutSecrets(checkEdge(input), redaction)
  return { edge, stamp: stamp => ({ v: LINK_VERSION, ...stamp, ...edge, origin }) }
}

/** Refuses to end an edge that is not there: `not_found`. */
export function refuseUntied({ sourceId, type, targetId }: Edge): never {
  throw new CommandRefusedError(
    'not_found',
    `there is no such edge, ${sourceId} ${type} ${targetId}, to end; nothing was changed`,
  )
}

/** Entities and sentences are named by their text, which may hold what memory does not keep. */
function withoutSecrets(edge: Edge, redaction: RedactionSettings | undefined): Edge {
  const clean = (kind: EndpointKind, id: string) =>
    kind === 'entity' || kind === 'sentence' ? leading(redact(id, rulesFor(redaction)).text, MAX_NAME) : id
  return {
    ...edge,
    sourceId: clean(edge.sourceKind, edge.sourceId),
    targetId: clean(edge.targetKind, edge.targetId),
  }
}

function checkEdge(input: EdgeInput, known?: KnownBlocks): Edge {
  const { sourceKind, sourceId, targetKind, targetId, type } = input
  checkEnd('source', sourceKind, sourceId, known)
  checkEnd('target', targetKind, targetId, known)
  if (typeof type !== 'string' || !EDGE_TYPE.test(type)) {
    throw new CommandRefusedError(
      'bad_field',
      `type must be a short word of letters, digits and _ : . -, such as supersedes or depends_on, not ${JSON.stringify(type)}`,
    )
  }
  if (redact(type, rulesFor(undefined)).kinds.length > 0) {
    throw new CommandRefusedError('bad_field', 'type looks like a secret; use a word that says how the two relate')
  }
  const representative = (kind: EndpointKind, id: string) =>
    kind === 'block' ? (known?.get(id)?.representative ?? id) : id
  if (sourceKind === targetKind && representative(sourceKind, sourceId) === representative(targetKind, targetId)) {
    throw new CommandRefusedError(
      'same_block',
      `both ends of the edge are ${sourceId}; an edge needs two different ends`,
    )
  }
  return { sourceKind, sourceId, targetKind, targetId, type }
}

function checkEnd(end: 'source' | 'target', kind: EndpointKind, id: string, known: KnownBlocks | undefined): void {
  if (!ENDPOINT_KINDS.includes(kind)) {
    throw new CommandRefusedError(
      'bad_field',
      `${end}Kind must be one of ${ENDPOINT_KINDS.join(', ')}, not ${String(kind)}`,
    )
  }
  if (typeof id !== 'string' || id.trim() === '' || id.length > MAX_NAME || id.includes('\0') || !id.isWellFormed()) {
    throw new CommandRefusedError('bad_field', `${end}Id must be text of 1 to 500 characters`)
  }
  if (known === undefined && ((kind === 'block' && !isBlockId(id)) || (kind === 'document' && !isDocumentId(id)))) {
    throw new CommandRefusedError(
      'bad_field',
      `${end}Id is not the id of a ${kind}; a memory's is blk_ and 24 hex digits`,
    )
  }
  if (known === undefined) return
  const state = isKept(kind) ? (known.get(id)?.state ?? 'unknown') : 'living'
  if (state === 'purged') throw new CommandRefusedError('not_found', `the ${end} of the edge, block ${id}, was purged`)
  if (state === 'unknown') {
    throw new CommandRefusedError(
      'not_found',
      `the ${end} of the edge, ${kind} ${id}, does not exist in this namespace; ${kind === 'block' ? WHERE_IDS_ARE : 'take the id of a page: doc_ and 24 hex digits'}`,
    )
  }
}
