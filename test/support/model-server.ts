/**
 * A scripted OpenAI-compatible model, spoken to by the real DeepSeek adapter. What it captures is what the model would
 * have seen, so it is the judge of everything that claims to reach the model.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export interface WireToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

export interface WireMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string
  readonly reasoning_content?: string
  readonly tool_calls?: readonly WireToolCall[]
  readonly tool_call_id?: string
}

export interface WireTool {
  readonly type: 'function'
  readonly function: { readonly name: string; readonly description: string; readonly parameters: unknown }
}

/** The body of one captured chat-completions request. */
export interface ModelRequest {
  readonly model: string
  readonly messages: readonly WireMessage[]
  readonly tools?: readonly WireTool[]
  readonly stream: boolean
}

export interface ToolCallScript {
  readonly name: string
  /** A string goes out verbatim (to script malformed JSON); anything else is stringified. */
  readonly arguments: unknown
}

export interface ModelReply {
  readonly text?: string
  readonly toolCalls?: readonly ToolCallScript[]
  /** Wait this long before the first byte: to script a slow model. */
  readonly delayMs?: number
  /** Answer with this HTTP error instead. */
  readonly status?: number
  /** What the provider says it counted: to script a context that is full. */
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number }
}

/** One scripted answer; a function sees the request and its zero-based number. */
export type ModelAnswer = ModelReply | ((request: ModelRequest, index: number) => ModelReply | Promise<ModelReply>)

export interface ModelServer {
  /** Ends in `/v1`: what DEEPSEEK_BASE_URL expects. */
  readonly baseURL: string
  /** Every request body so far, oldest first. */
  readonly requests: readonly ModelRequest[]
  /** The newest request; throws when there was none. */
  last(): ModelRequest
  /** Append answers to the script. */
  push(...answers: ModelAnswer[]): void
  /** How many scripted answers are still unused. */
  pending(): number
  close(): Promise<void>
}

/** What the server says once its script has run out. */
export const OUT_OF_SCRIPT = 'nothing more to say'

export async function startModelServer(script: readonly ModelAnswer[] = []): Promise<ModelServer> {
  const answers: ModelAnswer[] = [...script]
  const requests: ModelRequest[] = []

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST' || !request.url?.endsWith('/chat/completions')) {
      response.writeHead(404).end()
      return
    }
    const body = await readBody(request)
    const index = requests.push(body) - 1
    const answer = answers.shift() ?? { text: OUT_OF_SCRIPT }
    const reply = typeof answer === 'function' ? await answer(body, index) : answer
    if (reply.delayMs !== undefined) await new Promise(resolve => setTimeout(resolve, reply.delayMs))
    if (reply.status !== undefined) {
      response.writeHead(reply.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: reply.text ?? `scripted HTTP ${reply.status}` } }))
      return
    }
    stream(response, reply, index)
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: `model server: ${String(error)}` } }))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('model server: no port')

  return {
    baseURL: `http://127.0.0.1:${address.port}/v1`,
    requests,
    last() {
      const request = requests.at(-1)
      if (request === undefined) throw new Error('model server: no request was made')
      return request
    },
    push(...more) {
      answers.push(...more)
    },
    pending: () => answers.length,
    close: () =>
      new Promise<void>((resolve, reject) => {
        server.close(error => (error === undefined ? resolve() : reject(error)))
        // fetch keeps its sockets alive; without this close() would wait for them
        server.closeAllConnections()
      }),
  }
}

/** The texts of one role in a captured request, in order. */
export function textsOf(request: ModelRequest, role: WireMessage['role']): string[] {
  return request.messages.filter(message => message.role === role).map(message => message.content)
}

async function readBody(request: IncomingMessage): Promise<ModelRequest> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as ModelRequest
}

/** Two deltas per text, so that a consumer that only reads the first chunk is caught out. */
function stream(response: ServerResponse, reply: ModelReply, index: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  const calls = reply.toolCalls ?? []
  const text = reply.text ?? (calls.length === 0 ? OUT_OF_SCRIPT : '')
  const half = Math.ceil(text.length / 2)
  for (const content of [text.slice(0, half), text.slice(half)]) if (content !== '') send(response, { content })
  calls.forEach((call, position) => {
    const args = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments)
    send(response, {
      tool_calls: [
        {
          index: position,
          id: `call_${index}_${position}`,
          type: 'function',
          function: { name: call.name, arguments: args },
        },
      ],
    })
  })
  const usage = reply.usage ?? { prompt_tokens: 3, completion_tokens: 2 }
  send(response, { content: '' }, calls.length > 0 ? 'tool_calls' : 'stop', usage)
  response.end('data: [DONE]\n\n')
}

function send(response: ServerResponse, delta: object, finish: string | null = null, usage?: object): void {
  const chunk = {
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...(usage === undefined ? {} : { usage }),
  }
  response.write(`data: ${JSON.stringify(chunk)}\n\n`)
}
