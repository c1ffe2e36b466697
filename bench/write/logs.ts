import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { zstdCompressSync } from 'node:zlib'
import { tempDir } from '../../test/support/temp.ts'
import { commitEvent } from './events.ts'

/** One in so many events is ours. */
const OURS = 100
/** Events of one flush, which is one frame of a compressed log. */
const FLUSH = 200
const CHILD = fileURLToPath(new URL('./logs-child.ts', import.meta.url))

interface Measured {
  readonly ms: number
  readonly count: number
  /** Peak resident memory of the process, in MB. */
  readonly peak: number
}

/**
 * Catching up on a stored session log, nearly all of it chunks of the model's answers, against reading and JSON-parsing
 * the same file line by line; each in a process of its own.
 */
export async function logsRatio(events: number, megabytes: number, zstd: boolean): Promise<string> {
  const home = tempDir('bench-logs-')
  const path = join(home, 'sessions', '--p--', 'long', zstd ? 'session.jsonl.zstd' : 'session.jsonl')
  const bytes = await writeLog(path, events, megabytes, zstd)
  const parsed = await measure('parse', home, path)
  const folded = await measure('fold', home, path)
  if (parsed.count !== events + 1) throw new Error(`${parsed.count} lines read of ${events + 1}`)
  if (folded.count !== Math.floor(events / OURS)) throw new Error(`${folded.count} events folded`)
  rmSync(home, { recursive: true })
  const shown = ({ ms, peak }: Measured) => `${(ms / 1000).toFixed(2)} s (peak ${peak} MB)`
  return `catch-up on a log of ${events} events, ${(bytes / 1e6).toFixed(0)} MB${zstd ? ' before zstd' : ''}, ${folded.count} of them ours: ${shown(folded)}, reading and parsing ${shown(parsed)}, ratio ${(folded.ms / parsed.ms).toFixed(2)}`
}

async function writeLog(path: string, events: number, megabytes: number, zstd: boolean): Promise<number> {
  mkdirSync(dirname(path), { recursive: true })
  const file = createWriteStream(path)
  const each = Math.floor((megabytes * 1e6) / events)
  const header = `${JSON.stringify({ type: 'session', version: 0, id: 'long', createdAt: 1, delegationDepth: 0 })}\n`
  let bytes = 0
  for (let from = 0; from < events; from += FLUSH) {
    let text = from === 0 ? header : ''
    for (let seq = from; seq < Math.min(from + FLUSH, events); seq++) text += `${JSON.stringify(eventAt(seq, each))}\n`
    const flushed = Buffer.from(text)
    bytes += flushed.length
    if (!file.write(zstd ? zstdCompressSync(flushed) : flushed)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'close')
  return bytes
}

function eventAt(seq: number, bytes: number): object {
  if (seq % OURS === OURS - 1) return { ...commitEvent((seq + 1) / OURS), seq, time: 1, ignorable: true }
  const text = `${seq} the staging port is 8080, `.repeat(Math.ceil(bytes / 25)).slice(0, bytes - 130)
  const chunk = { type: 'text-delta', index: 0, text }
  return { type: 'assistant/chunk', seq, time: 1_700_000_000_000 + seq, data: { turn: 1, step: 1, chunk } }
}

async function measure(what: 'parse' | 'fold', home: string, path: string): Promise<Measured> {
  const child = spawn(process.execPath, [CHILD, what, home, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  let stdout = ''
  child.stdout.on('data', data => {
    stdout += String(data)
  })
  await once(child, 'close')
  return JSON.parse(stdout) as Measured
}
