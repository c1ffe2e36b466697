import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import type { FailureCode } from '../../../src/embedding/index.ts'
import { type Handler, json, vectorOf } from './server.ts'

/** One way in which a service may be wrong, and what must come of it. */
export interface Misbehaviour {
  readonly name: string
  readonly code: FailureCode
  readonly handler: Handler
  /** Requests that are sent for one text; one unless repeated. */
  readonly requests?: number
  /** Where the outcome is one of time: no sooner than this, in milliseconds. */
  readonly atLeastMs?: number
}

/** A key that looks like none, and that every misbehaving service quotes where it can. */
export const KEY = 'sk-test-0a1b2c3d4e5f6g7h8i9j+/=K'

const MB = 1 << 20

function says(name: string, code: FailureCode, text: string, type = 'application/json', status = 200): Misbehaviour {
  return {
    name,
    code,
    handler: (_got, response) => {
      response.writeHead(status, { 'content-type': type }).end(text)
    },
  }
}

function embeds(name: string, code: FailureCode, embedding: unknown): Misbehaviour {
  return says(name, code, JSON.stringify({ data: [{ index: 0, embedding }], embedding }))
}

function status(status: number, requests: number, headers: Record<string, string> = {}): Misbehaviour {
  return {
    name: `${status} ${JSON.stringify(headers)}`,
    code: 'http_status',
    requests,
    handler: ({ authorization }, response) => {
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify({ error: { message: `you sent ${authorization}, which is wrong` } }))
    },
  }
}

/** Writes for ever, a piece at a time, as long as somebody reads. */
const endless: (piece: Buffer, pieces: number, headers: Record<string, string>) => Handler =
  (piece, pieces, headers) => async (_got, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers })
    for (let sent = 0; sent < pieces && !response.destroyed; sent += 1) {
      if (response.write(piece)) continue
      await new Promise<void>(resolve => {
        response.once('drain', () => resolve())
        response.once('close', () => resolve())
      })
    }
    response.end()
  }

/** A body that is small as sent, smaller than a right answer may be, and large as unpacked. */
function bomb(encoding: string, packed: Buffer): Misbehaviour {
  if (packed.length > 60 << 10) throw new Error(`${encoding}: ${packed.length} bytes do not pass as a right answer`)
  return {
    name: `a bomb of ${encoding}`,
    code: 'body_too_large',
    handler: endless(packed, 1, { 'content-encoding': encoding }),
  }
}

const RIGHT = JSON.stringify({ data: [{ index: 0, embedding: vectorOf('x') }], embedding: vectorOf('x') })

/** Everything that issue 5 names and what is near it, for both protocols. */
export const MISBEHAVIOURS: readonly Misbehaviour[] = [
  status(400, 1),
  status(401, 1),
  status(404, 1),
  status(500, 3),
  status(503, 3),
  status(429, 3),
  status(429, 3, { 'retry-after': '0' }),
  status(429, 1, { 'retry-after': '3600' }),
  status(429, 3, { 'retry-after': 'soon' }),
  status(503, 1, { 'retry-after': 'Fri, 31 Dec 2100 23:59:59 GMT' }),
  {
    name: '200 with an error body',
    code: 'error_body',
    handler: ({ authorization }, response) => json(response, { error: { message: `bad token ${authorization}` } }),
  },
  {
    name: '200 with an error body as text',
    code: 'error_body',
    handler: ({ authorization }, response) => json(response, { error: `${'x'.repeat(190)}${authorization}` }),
  },
  says('200 with an error body and vectors', 'error_body', `{"error": {"code": 7}, ${RIGHT.slice(1)}`),
  says('empty', 'not_json', ''),
  says('HTML', 'not_json', `<!doctype html><p>${KEY}`, 'text/html'),
  says('{"data": []}', 'missing_vector', '{"data": []}'),
  says('{}', 'missing_vector', '{}'),
  says('null', 'missing_vector', 'null'),
  says('a number', 'missing_vector', '7'),
  says('items that are null', 'missing_vector', '{"data": [null]}'),
  says('items of __proto__', 'missing_vector', '{"data": [{"__proto__": {"embedding": [1, 2, 3, 4]}}]}'),
  says('truncated JSON', 'not_json', RIGHT.slice(0, -5)),
  says('NaN in JSON', 'not_json', RIGHT.replaceAll('0.5', 'NaN')),
  says('bytes that are not UTF-8', 'not_json', '\u0000'),
  says('a number too large for a float', 'non_finite', RIGHT.replaceAll('0.5', '1e39')),
  says('a number too large for a double', 'non_finite', RIGHT.replaceAll('0.5', '1e999')),
  embeds('too short', 'wrong_dimension', [1, 2, 3]),
  embeds('too long', 'wrong_dimension', [1, 2, 3, 4, 5]),
  embeds('no numbers', 'wrong_dimension', []),
  embeds('strings for numbers', 'non_numeric', ['1', '0', '0', '0']),
  embeds('a null among numbers', 'non_numeric', [1, null, 0, 0]),
  embeds('nested', 'non_numeric', [[1], [2], [3], [4]]),
  embeds('null', 'missing_vector', null),
  embeds('an object', 'non_numeric', { 0: 1, 1: 1, 2: 1, 3: 1, length: 4 }),
  embeds('zeros', 'zero_vector', [0, 0, -0, 0]),
  embeds('numbers that a float rounds to zero', 'zero_vector', [1e-60, 0, 0, 0]),
  embeds('text', 'non_numeric', 'not base64!'),
  {
    name: 'claimed gzip that is not',
    code: 'bad_encoding',
    handler: (_got, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(RIGHT)
    },
  },
  {
    name: 'gzip that ends early',
    code: 'bad_encoding',
    handler: (_got, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(RIGHT).subarray(0, 20))
    },
  },
  {
    name: 'an encoding that nobody asked for',
    code: 'bad_encoding',
    handler: (_got, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(gzipSync(gzipSync(RIGHT)))
    },
  },
  { name: '200 MB', code: 'body_too_large', handler: endless(Buffer.alloc(MB, 0x20), 200, {}) },
  {
    name: '200 MB, announced',
    code: 'body_too_large',
    handler: endless(Buffer.alloc(MB, 0x20), 200, { 'content-length': String(200 * MB) }),
  },
  {
    name: '200 MB, announced and never sent',
    code: 'body_too_large',
    handler: (_got, response) => {
      response.writeHead(200, { 'content-length': String(200 * MB) }).flushHeaders()
    },
  },
  bomb('gzip', gzipSync(Buffer.alloc(50 * MB, 0x20))),
  bomb('deflate', deflateSync(Buffer.alloc(50 * MB, 0x20))),
  bomb('br', brotliCompressSync(Buffer.alloc(200 * MB, 0x20), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })),
  {
    name: 'one byte per second',
    code: 'timeout',
    atLeastMs: 250,
    handler: async (_got, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      for (const byte of RIGHT) {
        if (response.destroyed) return
        response.write(byte)
        await new Promise(resolve => setTimeout(resolve, 1000).unref())
      }
    },
  },
  { name: 'hang before headers', code: 'timeout', atLeastMs: 250, handler: () => undefined },
  {
    name: 'hang within headers',
    code: 'timeout',
    atLeastMs: 250,
    handler: (_got, response) => {
      response.socket?.write('HTTP/1.1 200 OK\r\ncontent-le')
    },
  },
  {
    name: 'hang after a status that is an error',
    code: 'http_status',
    handler: (_got, response) => {
      response.writeHead(404).write('{')
    },
  },
  {
    name: 'reset before headers',
    code: 'network',
    handler: (_got, response) => {
      response.socket?.resetAndDestroy()
    },
  },
  {
    name: 'reset within the body',
    code: 'network',
    handler: (_got, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write(RIGHT, () => response.socket?.resetAndDestroy())
    },
  },
  {
    name: 'closed before the announced length',
    code: 'network',
    handler: (_got, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write(RIGHT, () => response.socket?.end())
    },
  },
  {
    name: 'no HTTP',
    code: 'network',
    handler: (_got, response) => {
      response.socket?.end(`${KEY}\r\n\r\n`)
    },
  },
  {
    name: 'headers without end',
    code: 'network',
    handler: (_got, response) => {
      response.socket?.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(1 << 20)}\r\n\r\n`)
    },
  },
  {
    name: 'switching protocols',
    code: 'network',
    handler: (_got, response) => {
      response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')
    },
  },
]
