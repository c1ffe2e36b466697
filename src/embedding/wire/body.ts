import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { type EmbeddingFailure, failure } from '../failure.ts'

export type Body =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly error: EmbeddingFailure }

/**
 * Reads an answer's body, unpacked, and holds at most `maxBytes` of it in memory: a body that is larger, as sent or as
 * unpacked, ends the reading at once. Calls `done` once; bounded in time only by whoever destroys the message.
 */
export function readBody(message: IncomingMessage, maxBytes: number, done: (body: Body) => void): void {
  const decoder = decoderFor(message.headers['content-encoding'])
  if (decoder === 'unknown') {
    done(failed('bad_encoding', 'the body is encoded in a way that was not asked for'))
    return
  }
  if (Number(message.headers['content-length'] ?? 0) > maxBytes) {
    done(tooLarge(maxBytes))
    return
  }
  const chunks: Buffer[] = []
  let ended = false
  let sent = 0
  let kept = 0
  const finish = (body: Body) => {
    if (ended) return
    ended = true
    decoder?.destroy()
    done(body)
  }
  const keep = (chunk: Buffer) => {
    if (ended) return
    kept += chunk.length
    if (kept > maxBytes) finish(tooLarge(maxBytes))
    else chunks.push(chunk)
  }
  const complete = () => finish({ ok: true, bytes: Buffer.concat(chunks) })
  message.on('data', (chunk: Buffer) => {
    if (ended) return
    sent += chunk.length
    if (sent > maxBytes) finish(tooLarge(maxBytes))
    else if (decoder === undefined) keep(chunk)
    else if (!decoder.write(chunk)) message.pause()
  })
  message.on('end', () => {
    if (ended) return
    if (decoder === undefined) complete()
    else decoder.end()
  })
  const broken = () => finish(failed('network', 'the connection broke before the body was complete'))
  message.on('error', broken)
  message.on('close', () => {
    if (!message.complete) broken()
  })
  decoder?.on('data', keep)
  decoder?.on('drain', () => message.resume())
  decoder?.on('end', complete)
  decoder?.on('error', () => finish(failed('bad_encoding', 'the body is not in the encoding that it claims')))
}

function decoderFor(encoding: string | undefined): Transform | undefined | 'unknown' {
  const name = (encoding ?? '').trim().toLowerCase()
  if (name === '' || name === 'identity') return undefined
  if (name === 'gzip' || name === 'x-gzip') return createGunzip()
  if (name === 'deflate') return createInflate()
  if (name === 'br') return createBrotliDecompress()
  return 'unknown'
}

function tooLarge(maxBytes: number): Body {
  return failed('body_too_large', `the body is larger than ${maxBytes} bytes, more than any right answer`)
}

function failed(code: 'body_too_large' | 'bad_encoding' | 'network', message: string): Body {
  return { ok: false, error: failure(code, message) }
}
