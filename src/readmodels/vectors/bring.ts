import { setTimeout as pause } from 'node:timers/promises'
import {
  canonicalText,
  type EmbedSpace,
  type EmbedTarget,
  encodeVector,
  isBlockId,
  isDocumentId,
  type Namespace,
} from '../../events/index.ts'
import type { LeaseRequest, MissingRequest, MissingVector } from '../port.ts'

/** What turns texts into vectors, as far as it is used here. */
export interface Embeds {
  /** Whether the service is being left alone after repeated failures. */
  readonly breaker: string
  embed(
    texts: readonly string[],
    options: { readonly side: 'document'; readonly signal: AbortSignal },
  ): Promise<
    readonly (
      | { readonly ok: true; readonly vector: Float32Array }
      | { readonly ok: false; readonly error: { readonly code: string; readonly status?: number } }
    )[]
  >
}

/** A vector that is ready to be recorded. */
export interface NewVector {
  readonly ns: Namespace
  readonly target: EmbedTarget
  /** base64 of float32, little-endian. */
  readonly data: string
}

export interface BringParts {
  readonly space: EmbedSpace
  readonly provider: Embeds
  missing(request: MissingRequest): Promise<readonly MissingVector[]> | readonly MissingVector[]
  lease(request: LeaseRequest): Promise<boolean> | boolean
  /** Journals and folds some vectors together. */
  write(vectors: readonly NewVector[]): Promise<unknown> | unknown
  /** Who does the work, among all processes. */
  readonly holder: string
  /** Blocks and documents whose text was refused; they are not asked for again. */
  readonly refused: Set<string>
  /** Texts a second, at most. */
  readonly perSecond: number
  readonly signal: AbortSignal
  /** Whether the process lives until the work is done. */
  readonly stays: boolean
  /** Told of what was done after every request. */
  readonly report?: (tally: BringTally) => void
}

/** What came of it. */
export interface BringTally {
  readonly brought: number
  readonly failed: number
  /** Failures by code. */
  readonly reasons: Readonly<Record<string, number>>
}

/**
 * - `done`: nothing is missing, but for what failed;
 * - `aborted`: by the signal;
 * - `down`: the service fails; it makes no sense to go on now;
 * - `held`: another process is at it.
 */
export type BringEnd = 'done' | 'aborted' | 'down' | 'held'

/** Texts of one request. */
const AT_ONCE = 32
/** How long others leave the work to a process that says nothing more, in milliseconds. */
const LEASE_MS = 120_000
/** Refusals of one text by a service. */
const REFUSED = [400, 413, 422]

/** Texts a second unless somebody asks for another number: a service is not flooded. */
export const TEXTS_PER_SECOND = 160

/**
 * Brings a vector for every block that is shown and every document that can be read and has none in a space, page by page. What is left to be done follows
 * from the database, so it can end at any time and goes on where it was. One process does it at a time.
 */
export async function bringVectors(parts: BringParts): Promise<BringTally & { readonly end: BringEnd }> {
  const { space, provider, signal, perSecond, holder, stays } = parts
  const name = `embed ${space.fingerprint}`
  const tally = { brought: 0, failed: 0, reasons: {} as Record<string, number> }
  const limit = Math.max(1, Math.min(AT_ONCE, Math.floor(perSecond)))
  let end: BringEnd = 'done'
  try {
    for (let after = 0; ; ) {
      if (signal.aborted) end = 'aborted'
      else if (provider.breaker !== 'closed') end = 'down'
      else if (!(await parts.lease({ name, holder, ms: LEASE_MS }))) end = 'held'
      if (end !== 'done') break
      const began = performance.now()
      const page = await parts.missing({ space: space.fingerprint, limit, after })
      const last = page.at(-1)
      if (last === undefined) break
      after = last.row
      const wanted = page.filter(one => !parts.refused.has(keyOf(one)))
      if (wanted.length === 0) continue
      await bringSome(parts, wanted, tally)
      parts.report?.(tally)
      const due = (wanted.length / perSecond) * 1_000 - (performance.now() - began)
      if (due > 0) await pause(due, undefined, { signal, ref: stays }).catch(() => undefined)
    }
  } finally {
    await parts.lease({ name, holder, ms: 0 })
  }
  return { ...tally, end }
}

async function bringSome(
  { provider, signal, write, refused }: BringParts,
  wanted: readonly MissingVector[],
  tally: { brought: number; failed: number; reasons: Record<string, number> },
): Promise<void> {
  const results = await provider.embed(
    wanted.map(({ text }) => canonicalText(text)),
    { side: 'document', signal },
  )
  const vectors: NewVector[] = []
  for (const [at, one] of wanted.entries()) {
    const result = results[at]
    const target = result?.ok === true ? targetOf(one) : undefined
    if (result?.ok && target !== undefined) {
      const ns = { id: one.namespace, label: one.label }
      vectors.push({ ns, target, data: encodeVector(result.vector) })
      continue
    }
    if (signal.aborted) continue
    const error = result === undefined || result.ok ? { code: 'missing_vector' } : result.error
    tally.failed += 1
    tally.reasons[error.code] = (tally.reasons[error.code] ?? 0) + 1
    // Asking again with the same text is pointless.
    if (error.code === 'empty_text' || REFUSED.includes(error.status ?? 0)) refused.add(keyOf(one))
  }
  if (vectors.length > 0) await write(vectors)
  tally.brought += vectors.length
}

function targetOf({ kind, id }: MissingVector): EmbedTarget | undefined {
  if (kind === 'block') return isBlockId(id) ? { kind, id } : undefined
  return isDocumentId(id) ? { kind, id } : undefined
}

function keyOf({ namespace, id }: MissingVector): string {
  return `${namespace} ${id}`
}
