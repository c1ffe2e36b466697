import type { Said } from '../../events/index.ts'

/** What a session's log holds of the messages and calls that a document cites, in log order. */
export interface Material {
  /** Namespace id. */
  readonly namespace: string
  readonly doc: string
  /** Session whose log it is from. */
  readonly session: string
  readonly said: readonly Said[]
}

/** How pages of cold documents are searched in a recall. */
export interface PagesRequest {
  /** Pages, at most. */
  readonly topK: number
  /** For `scope: 'session'`: ids of the documents the session has archived. */
  readonly within?: readonly string[]
}

/** One voice on a page: of the human, the model, a tool call or its result. Redacted. */
export interface PagePart {
  readonly kind: 'user' | 'assistant' | 'call' | 'result'
  readonly text: string
  /** Of a call and its result. */
  readonly tool: string
  readonly callId: string
  /** Of a result: the tool failed. */
  readonly failed: boolean
  /** Message id; empty for calls and results. */
  readonly message: string
  /** Unix milliseconds; 0 when the log does not say. */
  readonly time: number
}

/** A step of a turn: what was asked before it, what was answered, and every tool call of it with its result. */
export interface Page {
  readonly doc: string
  /** Number in its document, from 0. */
  readonly page: number
  readonly parts: readonly PagePart[]
}

/** Where a document comes from. */
export interface DocumentHead {
  readonly doc: string
  /** Namespace id. */
  readonly namespace: string
  readonly title: string
  readonly tags: readonly string[]
  readonly session: string
  readonly turn: number | null
  /** When it was archived, Unix milliseconds. */
  readonly archivedAt: number
  /** Event that archived it. */
  readonly event: string
  readonly ended: string
}

/** Names a page. */
export type PageOf = Pick<Page, 'doc' | 'page'>

/** A page that answers a question. */
export interface PageHit extends Page, DocumentHead {
  /** In [0, 1]; above 1 for an exact hit. */
  readonly score: number
  readonly exact: boolean
  readonly why: string
  /** How many pages its document has. */
  readonly pages: number
}

export interface DocumentRequest {
  /** Namespace id; without it, every namespace. */
  readonly namespace?: string
  readonly doc: string
}

/** A whole document. `state`: its text is at hand, was not read yet, or its log is gone. */
export interface DocumentAnswer extends DocumentHead {
  /** Label of its namespace, for events made of it. */
  readonly label: string
  /** Clock of the event that archived it. */
  readonly clock: number
  readonly state: 'held' | 'waiting' | 'withdrawn'
  readonly distilled: boolean
  /** Deliberate accesses: by a tool, not by what is put before the model unasked. */
  readonly accesses: number
  /** Pages that a purge withholds are left out. */
  readonly pages: readonly Page[]
  readonly withheld: number
}

export interface DueRequest {
  /** Age after which a document has cooled, in milliseconds of the memory's own clock, which no jump of the wall clock moves. */
  readonly age: number
  /** Documents with more deliberate accesses than this stay warm. */
  readonly accesses: number
  /** Unix milliseconds. */
  readonly now: number
  readonly limit: number
}
