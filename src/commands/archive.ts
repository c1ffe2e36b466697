import {
  ARCHIVE_VERSION,
  type ArchiveEvent,
  DISTILL_VERSION,
  type DistillEvent,
  documentId,
  MAX_CITED,
  type Origin,
  type Said,
} from '../events/index.ts'
import { type RedactionSettings, rulesFor } from '../redaction/index.ts'
import { labelsOf, type Named } from './archive-labels.ts'
import type { Stamp } from './stamp.ts'

/** Longest word for how a turn ended, and most blocks one document becomes. */
const MAX_ENDED = 60
const MAX_DISTILLED = 100
/** A character that carries as much as two of an alphabet. */
const HAN = /\p{Script=Han}/u

/** A turn as its log holds it. */
export interface TurnSaid {
  /** Everything that was said in it, in log order. */
  readonly said: readonly Said[]
  /** Number of the turn in its session; undefined when the log does not say. */
  readonly turn?: number | undefined
  /** `stopping`, or the kind of its `turn/end`. */
  readonly ended: string
  /** What somebody called it. */
  readonly named?: Named | undefined
}

export interface ArchiveSettings {
  /** Turns whose human and model said less, in characters, are no documents; Han characters count double. */
  readonly minChars: number
  /** Whether a tool is ours: its calls are not cited, so that what was recalled is not remembered anew. */
  readonly isOwnTool: (name: string) => boolean
  readonly redaction?: RedactionSettings
}

export interface ArchiveDraft {
  /** Id of the document. */
  readonly doc: string
  readonly title: string
  readonly tags: readonly string[]
  /** What the document cites, in log order. */
  readonly cited: readonly Said[]
  stamp(stamp: Stamp): ArchiveEvent
}

/**
 * Decides whether a turn becomes a cold document: undefined when no human spoke in it, or too little was said. It cites
 * the messages and calls by id; no text of them enters the event but a title.
 */
export function decideArchive(
  { said, turn, ended, named }: TurnSaid,
  origin: Origin,
  settings: ArchiveSettings,
): ArchiveDraft | undefined {
  const first = said.find(isHumans)
  if (first === undefined || !isEnough(said, settings.minChars)) return undefined
  const citable = withoutOwn(said, settings.isOwnTool)
  const messages = idsOf(citable, 'message')
  const calls = idsOf(citable, 'call')
  const cited = new Set([...messages.slice(0, MAX_CITED), ...calls.slice(0, MAX_CITED)])
  const uncited = Math.max(0, messages.length - MAX_CITED) + Math.max(0, calls.length - MAX_CITED)
  const span = { from: said.at(0)?.seq ?? 0, to: said.at(-1)?.seq ?? 0 }
  const doc = documentId(first.id)
  const { title, tags } = labelsOf(citable, named, rulesFor(settings.redaction))
  return {
    doc,
    title,
    tags,
    cited: citable.filter(({ id }) => cited.has(id)),
    stamp: ({ at: { turn: now, step: _, ...at }, ...stamp }) => ({
      v: ARCHIVE_VERSION,
      ...stamp,
      // The place of the turn, which may be over for long when it is archived.
      at: turn === undefined ? at : { ...at, turn },
      doc,
      title,
      tags: [...tags],
      ...(named === undefined ? {} : { named: true }),
      messages: messages.slice(0, MAX_CITED),
      calls: calls.slice(0, MAX_CITED),
      ...(uncited === 0 ? {} : { uncited }),
      span,
      ended: ended.slice(0, MAX_ENDED).toWellFormed(),
      origin,
    }),
  }
}

/** Decides that a cold document became these blocks; none when there was nothing to keep. */
export function decideDistill(
  doc: string,
  blocks: readonly string[],
  by: DistillEvent['by'],
): { stamp(stamp: Stamp): DistillEvent } {
  const kept = [...new Set(blocks)].slice(0, MAX_DISTILLED)
  return { stamp: stamp => ({ v: DISTILL_VERSION, ...stamp, doc, blocks: kept, by }) }
}

function isHumans(said: Said): boolean {
  return said.kind === 'message' && said.role === 'user'
}

/** Whether a human said something, and human and model together enough. Looks no further than it must. */
function isEnough(said: readonly Said[], minChars: number): boolean {
  if (!said.some(one => isHumans(one) && one.text.trim() !== '')) return false
  let size = 0
  for (const { kind, text } of said) {
    if (kind !== 'message') continue
    for (const character of text) {
      if (size >= minChars) return true
      size += HAN.test(character) ? 2 : 1
    }
  }
  return size >= minChars
}

/** Messages with words, and the calls of other tools with their results. */
function withoutOwn(said: readonly Said[], isOwnTool: (name: string) => boolean): Said[] {
  const calls = new Set(said.flatMap(one => (one.kind === 'call' && !isOwnTool(one.tool) ? [one.id] : [])))
  return said.filter(({ kind, id, text }) => (kind === 'message' ? text.trim() !== '' : calls.has(id)))
}

function idsOf(said: readonly Said[], kind: 'message' | 'call'): string[] {
  return [...new Set(said.filter(one => one.kind === kind).map(({ id }) => id))]
}
