import { Console } from 'node:console'
import { Writable } from 'node:stream'
import { parentPort, workerData } from 'node:worker_threads'
import { readFolder } from './directory.ts'
import type { Question, Reply, ThreadData } from './messages.ts'
import { loadExtractor } from './peer.ts'
import { UnusableError } from './unusable.ts'

/** The thread that runs a local model: it answers one question after the other and holds the model as long as it lives. */
async function run(port: NonNullable<typeof parentPort>, { directory, peer }: ThreadData): Promise<void> {
  const say = (reply: Reply) => {
    port.postMessage(reply, reply.kind === 'vectors' ? reply.vectors.map(({ buffer }) => buffer) : [])
  }
  try {
    const folder = await readFolder(directory)
    const extract = await loadExtractor(peer, directory, folder)
    const [probe] = await extract([`${folder.prompts.document}probe`])
    say({ kind: 'ready', dimension: probe?.length ?? 0, content: folder.content })
    const answer = async ({ texts, side }: Question) => {
      try {
        say({ kind: 'vectors', vectors: await extract(texts.map(text => `${folder.prompts[side]}${text}`)) })
      } catch (error) {
        say(failed(error))
      }
    }
    port.on('message', (question: Question) => {
      void answer(question)
    })
  } catch (error) {
    say(failed(error))
    port.close()
  }
}

function failed(error: unknown): Reply {
  const code = error instanceof UnusableError ? error.code : 'model_unusable'
  return { kind: 'failed', code, message: error instanceof Error ? error.message : String(error) }
}

// What the package prints is nobody's business. Reading it in the host's thread instead would keep the process alive.
globalThis.console = new Console(new Writable({ write: (_chunk, _encoding, done) => done() }))
if (parentPort !== null) await run(parentPort, workerData)
