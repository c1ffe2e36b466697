import { crc32 } from 'node:zlib'

/**
 * A portable journal is a journal that one file holds whole, in journal lines (`../journal-line.ts`) between two more:
 *
 *     {"crc":"<8 hex>","portable":{"format":"dsh-hologram/journal","version":1,"events":2}}
 *     {"crc":"<8 hex>","event":{"type":…,"seq":…,"data":…}}
 *     {"crc":"<8 hex>","event":{"type":…,"seq":…,"data":…}}
 *     {"end":{"events":2,"sha256":"<64 hex>"}}
 *
 * Each event once by id, in event order. The last line holds the SHA-256 of every byte before it and ends with a line end
 * too, so a file that lost its tail, or any byte of it, is found out. Nothing in it tells when or where it was made: the
 * same events make the same file.
 */
export const PORTABLE_FORMAT = 'dsh-hologram/journal'
export const PORTABLE_VERSION = 1

const HEADER = /^\{"crc":"([0-9a-f]{8})","portable":(\{.*\})\}$/
export const TRAILER_START = Buffer.from('{"end":')

export type Header =
  | { readonly kind: 'header'; readonly events: number }
  | { readonly kind: 'newer'; readonly version: number }
  | { readonly kind: 'damaged' }

export function encodeHeader(events: number): string {
  const body = JSON.stringify({ format: PORTABLE_FORMAT, version: PORTABLE_VERSION, events })
  return `{"crc":"${checksum(body)}","portable":${body}}\n`
}

export function decodeHeader(line: string): Header {
  const [, crc, body = ''] = HEADER.exec(line) ?? []
  if (crc === undefined || checksum(body) !== crc) return { kind: 'damaged' }
  const { format, version, events } = fieldsOf(body)
  if (format !== PORTABLE_FORMAT || typeof version !== 'number') return { kind: 'damaged' }
  if (version > PORTABLE_VERSION) return { kind: 'newer', version }
  return Number.isSafeInteger(events) ? { kind: 'header', events: Number(events) } : { kind: 'damaged' }
}

/** The last line, of so many events and the SHA-256 (hex) of all bytes before it. */
export function encodeTrailer(events: number, sha256: string): string {
  return `{"end":${JSON.stringify({ events, sha256 })}}\n`
}

function fieldsOf(body: string): { format?: unknown; version?: unknown; events?: unknown } {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, '0')
}
