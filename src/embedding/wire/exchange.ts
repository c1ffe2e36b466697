import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { type EmbeddingFailure, failure } from '../failure.ts'
import { readBody } from './body.ts'

/** One POST, as sent. */
export interface Letter {
  readonly url: URL
  readonly body: string
  /** Empty for none. */
  readonly apiKey: string
  /** Milliseconds until the connection, TLS included, must stand. */
  readonly connectMs: number
  /** Milliseconds until the answer must be complete. */
  readonly totalMs: number
  /** Largest body of a 2xx answer, in bytes. */
  readonly maxBytes: number
  /** Aborts at once. */
  readonly signal: AbortSignal
}

export type Answer =
  | {
      readonly ok: true
      readonly status: number
      readonly headers: IncomingHttpHeaders
      /** Empty when the body of an answer other than 2xx could not be read in time or is too long to be shown. */
      readonly bytes: Buffer
    }
  | { readonly ok: false; readonly error: EmbeddingFailure }

/** Largest body of an answer other than 2xx, in bytes, and how long it is waited for, in milliseconds. */
const ERROR_BYTES = 16 << 10
const ERROR_MS = 500
/** How long an unused connection is kept, in milliseconds. */
const IDLE_MS = 30_000

/** Connections to one origin. Requests go there and nowhere else: a redirect is an answer like any other here. */
export class Connections {
  readonly #agent: HttpAgent
  readonly #secure: boolean

  constructor(secure: boolean) {
    this.#secure = secure
    const options = { keepAlive: true, maxFreeSockets: 4, timeout: IDLE_MS }
    this.#agent = secure ? new HttpsAgent(options) : new HttpAgent(options)
  }

  /** Sends one letter. Never rejects; an aborted one resolves at once with the code `aborted`. */
  async post(letter: Letter): Promise<Answer> {
    const first = await this.#send(letter, this.#agent)
    if (first !== 'stale') return first
    // The service closed a kept connection just as it was used again, and answered nothing: once more, on a new one.
    const second = await this.#send(letter, false)
    return second === 'stale' ? failed('network', 'the connection was closed') : second
  }

  /** Closes what is open. */
  close(): void {
    this.#agent.destroy()
  }

  #send(letter: Letter, agent: HttpAgent | false): Promise<Answer | 'stale'> {
    const { url, body, apiKey, connectMs, totalMs, signal } = letter
    return new Promise(resolve => {
      if (signal.aborted) {
        resolve(failed('aborted', 'the call was aborted'))
        return
      }
      let answered = false
      const request = (this.#secure ? httpsRequest : httpRequest)(url, {
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          accept: 'application/json',
          'accept-encoding': 'identity',
          ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
        },
      })
      let open = true
      const finish = (answer: Answer | 'stale', spent: boolean) => {
        if (!open) return
        open = false
        clearTimeout(connecting)
        clearTimeout(total)
        signal.removeEventListener('abort', abort)
        resolve(answer)
        if (!spent) request.destroy()
      }
      const abort = () => finish(failed('aborted', 'the call was aborted'), false)
      signal.addEventListener('abort', abort, { once: true })
      const connecting = setTimeout(
        () => finish(failed('connect_timeout', `no connection to ${url.host} within ${connectMs} ms`), false),
        connectMs,
      )
      const total = setTimeout(
        () => finish(failed('timeout', `no complete answer from ${url.host} within ${totalMs} ms`), false),
        totalMs,
      )
      request.on('upgrade', (_message, socket) => {
        socket.destroy()
        finish(failed('network', `no answer from ${url.host} (it wants another protocol)`), false)
      })
      request.on('socket', socket => {
        if (socket.connecting) {
          socket.once(this.#secure ? 'secureConnect' : 'connect', () => clearTimeout(connecting))
        } else clearTimeout(connecting)
      })
      request.on('error', (error: NodeJS.ErrnoException) => {
        const stale = !answered && request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
        finish(stale ? 'stale' : failed('network', `no answer from ${url.host} (${error.code ?? 'broken'})`), false)
      })
      request.on('response', message => {
        answered = true
        receive(message, letter, finish)
      })
      request.end(body)
    })
  }
}

function receive(
  message: IncomingMessage,
  { maxBytes, totalMs }: Letter,
  finish: (answer: Answer, spent: boolean) => void,
): void {
  const status = message.statusCode ?? 0
  const { headers } = message
  // Whoever reads the body hears of it; after that it is no news.
  message.on('error', () => undefined)
  if (status >= 200 && status < 300) {
    readBody(message, maxBytes, body => {
      finish(body.ok ? { ok: true, status, headers, bytes: body.bytes } : body, body.ok && message.complete)
    })
    return
  }
  const plain = { ok: true, status, headers, bytes: Buffer.alloc(0) } as const
  // Only the words of the service can be lost here; its status says what matters.
  const impatient = setTimeout(() => finish(plain, false), Math.min(ERROR_MS, totalMs / 2))
  readBody(message, ERROR_BYTES, body => {
    clearTimeout(impatient)
    finish(body.ok ? { ...plain, bytes: body.bytes } : plain, body.ok && message.complete)
  })
}

function failed(code: 'aborted' | 'connect_timeout' | 'timeout' | 'network', message: string): Answer {
  return { ok: false, error: failure(code, message) }
}
