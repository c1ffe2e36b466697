import { crc32 } from 'node:zlib'
import type { StoredEvent } from '../events/index.ts'

/**
 * A journal line: `{"crc":"<8 hex>","event":{"type":…,"seq":…,"data":…}}`. The checksum is the CRC-32 of the bytes of
 * the `event` value exactly as they stand in the line.
 */
const PREFIX = /^\{"crc":"([0-9a-f]{8})","event":/

export function encodeLine(event: StoredEvent): string {
  const { type, seq, data } = event
  const body = JSON.stringify(seq === undefined ? { type, data } : { type, seq, data })
  return `{"crc":"${checksum(body)}","event":${body}}\n`
}

/** The event of one line, or what is wrong with it. */
export function decodeLine(bytes: Buffer): StoredEvent | { readonly reason: string } {
  const line = bytes.toString('utf8')
  const crc = PREFIX.exec(line)?.[1]
  if (crc === undefined || !line.endsWith('}')) return { reason: 'not a journal line' }
  const body = line.slice(PREFIX.exec(line)?.[0].length, -1)
  if (checksum(body) !== crc) return { reason: 'the checksum does not match' }
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string') {
      const { type, data, seq } = value as { type: string; data?: unknown; seq?: unknown }
      return { type, data, seq: typeof seq === 'number' ? seq : undefined }
    }
    return { reason: 'the line holds no event' }
  } catch {
    return { reason: 'the line is not valid JSON' }
  }
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, '0')
}
