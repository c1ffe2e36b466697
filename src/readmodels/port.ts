import type { EndpointKind, StoredEvent } from '../events/index.ts'
import type { BlockView, Replacement, Said } from './audit/port.ts'
import type {
  DocumentAnswer,
  DocumentRequest,
  DueRequest,
  Material,
  PageHit,
  PageOf,
  PagesRequest,
} from './cold/port.ts'
import type { RecallWeights } from './weights.ts'

export type * from './audit/port.ts'
export type * from './cold/port.ts'

/** Whose memory a recall may show: this session's, this namespace's, or everything. */
export const SCOPES = ['session', 'namespace', 'all'] as const
export type Scope = (typeof SCOPES)[number]

/** Most hits of one recall, those passed over included. */
export const MAX_HITS = 10_000

export interface RecallRequest {
  readonly query: string
  readonly scope: Scope
  /** Namespace id of the asking session. */
  readonly namespace: string
  /** For `scope: 'session'`: ids of the blocks the session has said. */
  readonly within?: readonly string[]
  readonly topK: number
  readonly offset?: number
  /** Blocks linked with the hits by edges, appended after them: this many at most. */
  readonly associate?: number
  /** Hits that score below this, in [0, 1], are left out. */
  readonly floor?: number
  /** Also list what a later statement has superseded. */
  readonly history?: boolean
  /** Further questions, at most seven; their answers are fused with those of `query`. */
  readonly alsoAsk?: readonly string[]
  readonly filters?: RecallFilters
  /** The answer of a vector search made elsewhere, nearest first; fused with that of words. */
  readonly near?: readonly NearBlock[]
  /** The question's vector; the near blocks of its space are fused with the answer of words. */
  readonly vector?: QuestionVector
  /** Vectors were wanted, and the question could not be embedded; what that leaves uncompared is counted. */
  readonly unembedded?: boolean
  /** How the two are fused: by places in the vector ranking (default), or `0.7·cosine + 0.3·words`. */
  readonly fusion?: 'rank' | 'weighted'
  /** The share of each in the fusion; without it that of the `fusion`. */
  readonly weights?: RecallWeights
  /** Pages of cold documents are searched as well, with these limits. */
  readonly pages?: PagesRequest
}

/** A block that lies near the question in a vector space. */
export interface NearBlock {
  readonly id: string
  /** Cosine, −1 to 1. */
  readonly similarity: number
}

/** What a hit must be, beside answering. */
export interface RecallFilters {
  readonly source?: string
  /** Said in this session, whoever said it elsewhere too. */
  readonly session?: string
  /** This scene and those below it, by key: case, width and separators folded. With a blank question: what is known of it. */
  readonly scene?: string
  readonly semanticType?: string
  /** When it was said, Unix milliseconds, both ends included. */
  readonly from?: number
  readonly to?: number
}

/** A hit that a later statement replaced. */
export interface SupersededHit {
  readonly id: string
  readonly text: string
  /** Id of the block that replaced it. */
  readonly by: string
  /** When it was said, Unix milliseconds, where that is known. */
  readonly at: number | null
  readonly reason: string
}

export interface RecallHit {
  readonly id: string
  readonly kind: 'block'
  readonly text: string
  /** In [0, 1]; above 1 for an exact hit. */
  readonly score: number
  readonly exact: boolean
  readonly why: string
  /** Id of the block that replaced it; only where the filters keep that one from being shown in its place. */
  readonly supersededBy?: string
  readonly namespace: string
  readonly source: string
  readonly scene: string
  readonly semanticType: string
  /** Unix milliseconds of its earliest commit. */
  readonly createdAt: number
  /** Where it was said, oldest first, at most twenty; `places` counts them all. */
  readonly said: readonly Said[]
  readonly places: number
}

export const OUTCOMES = ['hits', 'nothing_stored', 'below_floor', 'refused', 'empty_query', 'unavailable'] as const

export interface RecallAnswer {
  readonly hits: readonly RecallHit[]
  /** Pages of cold documents, best first; none unless they were asked for. */
  readonly pages: readonly PageHit[]
  /** With `history`: what was replaced, and by what. */
  readonly superseded: readonly SupersededHit[]
  readonly outcome: (typeof OUTCOMES)[number]
  /** For people and models: why there is nothing, or what to know about what there is. */
  readonly notice?: string
  /** When refused: numbers and names of the question that nothing holds, at most five. */
  readonly missing?: readonly string[]
  /** The query's symbols that pinned something. */
  readonly symbols: readonly string[]
  readonly counters: {
    readonly candidates: number
    readonly skipped: Readonly<Record<string, number>>
    readonly milliseconds: number
  }
  /** Why the search was less than it could be. */
  readonly degraded: readonly string[]
  /** Highest clock in the database it was read from. */
  readonly clock: number
}

export interface LookupRequest {
  /** Namespace id; without it, every namespace. */
  readonly namespace?: string
  readonly ids: readonly string[]
  /** Ids of documents are looked up as well; without it they are unknown. */
  readonly documents?: boolean
  /** Also look for the pages of cold documents that hold their texts. */
  readonly pages?: boolean
}

/** An edge of one namespace; ends that are blocks under any of their ids. */
export interface EdgeRequest {
  readonly namespace: string
  readonly sourceKind: EndpointKind
  readonly sourceId: string
  readonly targetKind: EndpointKind
  readonly targetId: string
  readonly type: string
}

/** A question's vector, and the fingerprint of its space. */
export interface QuestionVector {
  readonly space: string
  readonly data: Float32Array
}

export interface MissingRequest {
  /** Fingerprint of the space. */
  readonly space: string
  readonly limit: number
  /** `row` of the last one of the page before. */
  readonly after?: number
}

/** Work that only one process at a time should do. */
export interface LeaseRequest {
  readonly name: string
  /** Who asks; the same each time it asks for more. */
  readonly holder: string
  /** For how long, at most an hour, in milliseconds; 0 gives it back. */
  readonly ms: number
}

/** A block that is shown and has no vector in a space. */
export interface MissingVector {
  /** Where the next page begins. */
  readonly row: number
  /** Namespace id and label. */
  readonly namespace: string
  readonly label: string
  readonly kind: 'block' | 'document'
  /** Block or document id. */
  readonly id: string
  /** As stored, of a document its beginning; its canonical form is what is embedded. */
  readonly text: string
}

/** One space of vectors. */
export interface SpaceStats {
  readonly fingerprint: string
  readonly dimension: number | null
  readonly vectors: number
  /** Blocks that are shown and have no vector in it. */
  readonly missing: number
  /** Vectors of blocks that are shown and cannot be compared, by reason. */
  readonly unusable: Readonly<Record<string, number>>
}

/** What is known of one id, of a block or of a document. */
export interface KnownBlock {
  readonly id: string
  readonly state: 'living' | 'purged' | 'unknown'
  /** The id that stands for it now; itself when it was never merged away. */
  readonly representative: string
  /** Every id that means the same block, the representative first. */
  readonly family: readonly string[]
  /** With `pages`: where its text stands word for word. */
  readonly pages?: readonly PageOf[]
}

export interface HistoryRequest {
  /** Namespace id; without it, every namespace. */
  readonly namespace?: string
  readonly id: string
}

/** One event that touched a block. */
export interface HistoryEntry {
  readonly event: string
  readonly verb: string
  readonly clock: number
  /** The id it named. */
  readonly block: string
  readonly namespace: string
  /** Empty for events made outside of any session. */
  readonly session: string
  readonly turn: number | null
  /** Its place in the session's log. */
  readonly seq: number | null
  /** Unix milliseconds. */
  readonly time: number
  /** What it did, in words. */
  readonly what: string
  /** For a commit: its wording, where that is not the canonical text. */
  readonly wording: string | null
}

export interface HistoryAnswer {
  readonly id: string
  /** Every id that means the block. */
  readonly ids: readonly string[]
  /** In event order; at most a thousand, of `total`. */
  readonly entries: readonly HistoryEntry[]
  readonly total: number
  /** What replaced it, and what it replaced, as recall sees it now. */
  readonly replacements: readonly Replacement[]
  /** What it says now; null where it is not known, or was purged. */
  readonly text: string | null
}

/**
 * What became of an event handed over. `folded` and `known`: it is in the journal and in the database. `pending`: it is
 * in the journal, and will be in the database when that can be written again. `skipped`: it is not valid.
 */
export interface Ack {
  readonly status: 'folded' | 'known' | 'pending' | 'skipped'
  /** For a commit: whether it brought its block to its namespace, whichever process folded it. */
  readonly created: boolean
  readonly reason?: string
}

export interface FoldAnswer {
  readonly acks: readonly Ack[]
  /** Highest clock in the database. */
  readonly clock: number
}

export interface Stats {
  readonly blocks: number
  /** Cold documents: all, those whose text is not at hand, those whose log is gone, those distilled. */
  readonly documents: {
    readonly all: number
    readonly waiting: number
    readonly withdrawn: number
    readonly distilled: number
    /** How many configurations take turns on this memory, so that what any of them redacts is redacted; absent for one. */
    readonly configurations?: number
  }
  readonly events: number
  readonly namespaces: number
  readonly clock: number
  readonly path: string
  readonly journal: string
  readonly catchingUp: boolean
  readonly spaces: readonly SpaceStats[]
  /** Events that bear our name and could not be used, by reason, since this process began. */
  readonly skipped: Readonly<Record<string, number>>
  /** Damaged lines met in logs and journals since this process began. */
  readonly issues: number
  /** What keeps memory from working fully, in words. */
  readonly degraded: readonly string[]
  /** The part of it that does not pass by itself, for whoever keeps the harness. */
  readonly trouble: readonly string[]
}

/** How a call may end early. The work behind it is abandoned, not undone. */
export interface CallOptions {
  readonly signal?: AbortSignal
  /** Milliseconds. */
  readonly deadline?: number
}

/** The read model as the rest sees it. Nothing outside this room knows what is behind it. */
export interface ReadModel {
  /** Resolves, with the highest clock known, when events and questions are taken. Never rejects. */
  readonly ready: Promise<number>
  /** Journals and folds events that it does not know by id yet. */
  fold(events: readonly StoredEvent[], options?: CallOptions): Promise<FoldAnswer>
  recall(request: RecallRequest, options?: CallOptions): Promise<RecallAnswer>
  /** What is known of block ids, in the order asked. Rejects when the database cannot be read. */
  lookup(request: LookupRequest, options?: CallOptions): Promise<readonly KnownBlock[]>
  /** Whether there is this edge now. Rejects when the database cannot be read. */
  tied(request: EdgeRequest, options?: CallOptions): Promise<boolean>
  /** Every event that touched a block. Rejects when the database cannot be read. */
  history(request: HistoryRequest, options?: CallOptions): Promise<HistoryAnswer>
  /** A block as it is now, in each namespace that has it or had it. Rejects when the database cannot be read. */
  show(request: HistoryRequest, options?: CallOptions): Promise<readonly BlockView[]>
  /** Hands over what documents cite of a session's log. Resolves with how many of them can be read now. */
  supply(materials: readonly Material[], options?: CallOptions): Promise<number>
  /** One cold document, or nothing when it is not known. Rejects when the database cannot be read. */
  document(request: DocumentRequest, options?: CallOptions): Promise<DocumentAnswer | null>
  /** Documents that have cooled and are to be distilled, oldest first. Rejects when the database cannot be read. */
  due(request: DueRequest, options?: CallOptions): Promise<readonly DocumentAnswer[]>
  /** Blocks without a vector in a space, page by page. Rejects when the database cannot be read. */
  missing(request: MissingRequest, options?: CallOptions): Promise<readonly MissingVector[]>
  /** Takes or prolongs a lease, or gives it back; false while another process holds it, or nothing can be written. */
  lease(request: LeaseRequest, options?: CallOptions): Promise<boolean>
  /** Highest clock in the database, which other processes write to as well; 0 while it cannot be read. */
  clock(options?: CallOptions): Promise<number>
  /** Keeps in the database what went wrong in this process, for those who look at it without one. */
  note(trouble: string, options?: CallOptions): Promise<void>
  stats(options?: CallOptions): Promise<Stats>
  /** Folds what stored session logs below these folders hold and the journal does not; resolves when all was read. */
  catchUp(roots: readonly string[], options?: CallOptions): Promise<void>
  close(): Promise<void>
}
