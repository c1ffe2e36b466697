import { CommandRefusedError } from '../commands/index.ts'
import {
  type CallOptions,
  MAX_HITS,
  type NearBlock,
  problemOfWeights,
  type RecallFilters,
  type RecallWeights,
  SCOPES,
  type Scope,
} from '../readmodels/index.ts'

/** What a recall may ask for; settings fill in the rest. */
export interface RecallOptions extends CallOptions {
  readonly topK?: number
  readonly offset?: number
  /** Blocks linked with the hits, appended after them: this many at most. */
  readonly associate?: number
  /** Whether the question goes by words and symbols alone, and is not embedded. */
  readonly wordsOnly?: boolean
  /** Also search archived turns, and return this many of their pages at most. */
  readonly pages?: number
  /** The answer of a vector search of the caller's own, and how it is fused with that of words. */
  readonly near?: readonly NearBlock[]
  readonly fusion?: 'rank' | 'weighted'
  readonly weights?: RecallWeights
  readonly scope?: Scope
  readonly floor?: number
  readonly history?: boolean
  /** Further questions; their answers are fused with those of the first. */
  readonly alsoAsk?: readonly string[]
  readonly filters?: RecallFilters
}

/**
 * Refuses options of a recall that cannot be, with `CommandRefusedError` (`bad_field`): a wrong `floor` would look like
 * an empty memory, a wrong `topK` like a short one.
 */
export function checkRecallOptions(options: RecallOptions): void {
  const { topK, offset, associate, pages, floor, fusion, scope, weights } = options
  whole('topK', topK, 1)
  whole('offset', offset, 0)
  whole('associate', associate, 0)
  whole('pages', pages, 1)
  if (floor !== undefined && !(typeof floor === 'number' && floor >= 0 && floor <= 1)) {
    refuse('floor', 'a number from 0 to 1', floor)
  }
  if (fusion !== undefined && fusion !== 'rank' && fusion !== 'weighted') refuse('fusion', 'rank or weighted', fusion)
  if (scope !== undefined && !SCOPES.includes(scope)) refuse('scope', `one of ${SCOPES.join(', ')}`, scope)
  const problem = weights === undefined ? undefined : problemOfWeights(weights)
  if (problem !== undefined) throw new CommandRefusedError('bad_field', problem)
}

function whole(name: string, value: unknown, least: number): void {
  if (value === undefined) return
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > MAX_HITS) {
    refuse(name, `a whole number from ${least} to ${MAX_HITS}`, value)
  }
}

function refuse(name: string, wanted: string, value: unknown): never {
  throw new CommandRefusedError('bad_field', `${name} must be ${wanted}, not ${String(value).slice(0, 40)}`)
}
