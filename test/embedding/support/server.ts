import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request as the server got it. */
export interface Got {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  readonly body: Record<string, unknown>
}

export interface TestServer {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  /** The address of its embedding service. */
  readonly endpoint: string
  /** Requests so far, in order of arrival. */
  readonly got: readonly Got[]
  /** Connections so far. */
  readonly connections: () => number
  /** Bytes written to sockets so far. */
  readonly written: () => number
}

export type Handler = (got: Got, response: ServerResponse, request: IncomingMessage) => void | Promise<void>

/** A server on a free local port that ends with the test. */
export async function serve(handler: Handler): Promise<TestServer> {
  const got: Got[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => undefined)
    response.on('error', () => undefined)
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const one: Got = {
        method: request.method ?? '',
        path: request.url ?? '',
        authorization: request.headers.authorization,
        body: text === '' ? {} : JSON.parse(text),
      }
      got.push(one)
      void handler(one, response, request)
    })
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise(resolve => server.close(resolve))
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    endpoint: `${origin}/v1/embeddings`,
    got,
    connections: () => sockets.size,
    written: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, 0),
  }
}

/** A server that nothing may connect to: the test fails at its end when something did. */
export async function tripwire(): Promise<TestServer> {
  const server = await serve((_got, response) => {
    response.destroy()
  })
  onTestFinished(({ task }) => {
    if (server.connections() > 0) throw new Error(`${task.name}: the network was touched`)
  })
  return server
}

export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/** Handles requests of the openai protocol rightly: text i of length n gets `[n, 1, …]`. */
export const rightOpenai: Handler = ({ body }, response) => {
  const texts = Array.isArray(body.input) ? body.input : []
  json(response, { data: texts.map((text, index) => ({ index, embedding: vectorOf(String(text)) })) })
}

/** Handles requests of the hologram protocol rightly. */
export const rightHologram: Handler = ({ body }, response) => {
  json(response, { embedding: vectorOf(String(body.text)) })
}

/** The dimension used by tests unless they say otherwise. */
export const DIMENSION = 4

export function vectorOf(text: string): number[] {
  return [text.length, 1, 0.5, -1]
}
