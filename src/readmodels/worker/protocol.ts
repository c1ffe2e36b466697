import type { StoredEvent } from '../../events/index.ts'
import type {
  BlockView,
  DocumentAnswer,
  DocumentRequest,
  DueRequest,
  EdgeRequest,
  FoldAnswer,
  HistoryAnswer,
  HistoryRequest,
  KnownBlock,
  LeaseRequest,
  LookupRequest,
  Material,
  MissingRequest,
  MissingVector,
  RecallAnswer,
  RecallRequest,
  Stats,
} from '../port.ts'
import type { StoreOptions } from './store.ts'

/** What the read model is started with. */
export type WorkerOptions = StoreOptions

/** What its thread is given. */
export interface WorkerData {
  readonly options: WorkerOptions
  /** State of the `NativeGate`. */
  readonly gate: SharedArrayBuffer
}

/** The worker's methods, by name: argument and result. */
export interface Methods {
  fold: [events: readonly StoredEvent[], answer: FoldAnswer]
  recall: [request: RecallRequest, answer: RecallAnswer]
  lookup: [request: LookupRequest, answer: readonly KnownBlock[]]
  tied: [request: EdgeRequest, answer: boolean]
  history: [request: HistoryRequest, answer: HistoryAnswer]
  show: [request: HistoryRequest, answer: readonly BlockView[]]
  missing: [request: MissingRequest, answer: readonly MissingVector[]]
  lease: [request: LeaseRequest, answer: boolean]
  supply: [materials: readonly Material[], held: number]
  document: [request: DocumentRequest, answer: DocumentAnswer | null]
  due: [request: DueRequest, answer: readonly DocumentAnswer[]]
  /** Highest clock in the database. */
  clock: [nothing: null, answer: number]
  note: [trouble: string, nothing: null]
  stats: [nothing: null, answer: Stats]
  /** Reads stored session logs below these folders; answered when all is folded. */
  catchUp: [roots: readonly string[], answer: null]
  close: [nothing: null, answer: null]
}

export type Method = keyof Methods

export interface Call<M extends Method = Method> {
  readonly call: number
  readonly method: M
  readonly argument: Methods[M][0]
}

export type Reply =
  | { readonly call: number; readonly value: unknown }
  | { readonly call: number; readonly error: { readonly message: string; readonly code: string } }
  /** Sent once, when the database is open and the journal read: the highest clock known. */
  | { readonly ready: number }
