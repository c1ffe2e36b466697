import type { Database } from 'better-sqlite3'
import { history } from '../audit/history.ts'
import { lookup, tied } from '../audit/lookup.ts'
import { show } from '../audit/show.ts'
import { dueDocuments } from '../cold/due.ts'
import { readDocument } from '../cold/read.ts'
import type {
  BlockView,
  DocumentAnswer,
  DocumentRequest,
  DueRequest,
  EdgeRequest,
  HistoryAnswer,
  HistoryRequest,
  KnownBlock,
  LookupRequest,
  MissingRequest,
  MissingVector,
} from '../port.ts'
import { missingVectors } from '../vectors/index.ts'

/** What can be asked of an open database beside recall. Everything here throws when it cannot be read. */
export abstract class Readings {
  /** The database, for questions. Throws when it cannot be read. */
  protected abstract get readable(): Database

  lookup(request: LookupRequest): KnownBlock[] {
    return lookup(this.readable, request)
  }

  tied(request: EdgeRequest): boolean {
    return tied(this.readable, request)
  }

  history(request: HistoryRequest): HistoryAnswer {
    return history(this.readable, request)
  }

  show(request: HistoryRequest): BlockView[] {
    return show(this.readable, request)
  }

  document(request: DocumentRequest): DocumentAnswer | null {
    return readDocument(this.readable, request)
  }

  due(request: DueRequest): DocumentAnswer[] {
    return dueDocuments(this.readable, request)
  }

  missing({ space, limit, after }: MissingRequest): MissingVector[] {
    return missingVectors(this.readable, space, limit, after).map(({ ns: _, ...one }) => one)
  }
}
