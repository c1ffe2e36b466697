import { createReadStream } from 'node:fs'
import { isOurs, type StoredEvent } from '../../events/index.ts'
import { type Line, MAX_LINE, splitLines } from '../lines.ts'
import type { SessionLogFile } from '../roots.ts'
import { readZstd } from '../zstd-frames.ts'
import { Refusal } from './refusal.ts'

/** A line of a stored log that a host would keep. */
export type LogRecord =
  | { readonly kind: 'header'; readonly bytes: Buffer; readonly session: string }
  | { readonly kind: 'other'; readonly bytes: Buffer }
  | {
      readonly kind: 'ours'
      readonly bytes: Buffer
      readonly event: StoredEvent & { readonly seq: number }
      readonly time: number
    }

/** The format whose events these are; hosts of later formats keep their logs under other names. */
const FORMAT_VERSION = 0
/** Storage rows that pack a run of chunk events, and the member that has one entry for each. */
const PACKED: Readonly<Record<string, string>> = {
  'text-chunks': 'texts',
  'reasoning-chunks': 'texts',
  'tool-call-chunks': 'args',
}

type Log = Pick<SessionLogFile, 'path' | 'compression'>

/**
 * The lines of a stored log, in order and judged as a host judges them: a header of the format, then events whose seqs
 * count up from 0 without a gap. A last line without its line end is left out, as a host cuts it. Throws a `Refusal` at
 * anything a host would not take as it stands, since a copy of a damaged log would only hide the damage.
 */
export async function* readRecords(log: Log): AsyncGenerator<LogRecord> {
  let number = 0
  let seq = 0
  for await (const line of wholeLines(log)) {
    number += 1
    if (line.tooLong) throw new Refusal(`line ${number} is longer than ${MAX_LINE} bytes`)
    const value = parse(line.bytes, number)
    if (number === 1) {
      yield { kind: 'header', bytes: line.bytes, session: sessionOf(value) }
      continue
    }
    const { first, count } = seqsOf(value)
    if (first !== seq) throw new Refusal(`line ${number} has seq ${String(first)} where ${seq} is due`)
    const at = seq
    seq += count
    if (!isOurs(value.type)) {
      yield { kind: 'other', bytes: line.bytes }
      continue
    }
    const { type, data, time } = value
    if (!Number.isSafeInteger(time)) throw new Refusal(`the event of ours at seq ${at} has no time`)
    yield { kind: 'ours', bytes: line.bytes, event: { type, data, seq: at }, time: Number(time) }
  }
  if (number === 0) throw new Refusal('it has no header')
}

async function* wholeLines(log: Log): AsyncGenerator<Line> {
  const damage: string[] = []
  const chunks: AsyncIterable<Buffer> =
    log.compression === 'zstd' ? readZstd(log.path, reason => damage.push(reason)) : createReadStream(log.path)
  const sound = () => {
    const [reason] = damage
    if (reason !== undefined) throw new Refusal(`it is damaged: ${reason}`)
  }
  for await (const line of splitLines(chunks)) {
    sound()
    if (line.complete) yield line
  }
  sound()
}

type Value = Readonly<Record<string, unknown>>

function parse(bytes: Buffer, number: number): Value {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new Refusal(`line ${number} is not valid JSON`)
  }
  if (!isObject(value)) throw new Refusal(`line ${number} holds no event`)
  return value
}

function sessionOf(header: Value): string {
  if (header.type !== 'session' || typeof header.id !== 'string') throw new Refusal('its first line is no header')
  if (header.version !== FORMAT_VERSION) {
    throw new Refusal(`it has format version ${String(header.version)}; only ${FORMAT_VERSION} needs to be detached`)
  }
  return header.id
}

function seqsOf(value: Value): { readonly first: unknown; readonly count: number } {
  const member = typeof value.type === 'string' ? PACKED[value.type] : undefined
  if (member === undefined) return { first: value.seq, count: 1 }
  const entries = isObject(value.data) ? value.data[member] : undefined
  return { first: value.seq0, count: Array.isArray(entries) ? entries.length : 0 }
}

function isObject(value: unknown): value is Value {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
