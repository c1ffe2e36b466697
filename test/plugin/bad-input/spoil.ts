import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { memoryPaths } from '../../../src/logs/index.ts'
import type { Host } from '../../support/host.ts'
import { tempDir } from '../../support/temp.ts'
import { agentIn, memoryOf, rig } from '../rig.ts'

export const NOTE = 'the runbook lies in drawer 4324'
export const QUESTION = 'where is the runbook?'

/** A harness home whose memory holds the note, stopped. */
export async function filledHome(): Promise<{ home: string; path: string }> {
  const home = tempDir()
  const { host, memory } = await rig({ home })
  await memory.commit({ text: NOTE }, { session: (await agentIn(host)).session })
  await host.stop()
  return { home, path: memoryPaths({}, home).path }
}

/** Files that were put beside the database under another name. */
export function movedAside(path: string): string[] {
  return readdirSync(dirname(path)).filter(
    name => name.startsWith(`${basename(path)}.corrupt-`) && !/-(wal|shm)$/.test(name),
  )
}

export function changeBytes(path: string, change: (bytes: Buffer) => Buffer): Buffer {
  const bytes = change(readFileSync(path))
  writeFileSync(path, bytes)
  return bytes
}

/** Whether a session of this host is told the note when it asks. */
export async function isRecalled(host: Host): Promise<boolean> {
  const { session } = await agentIn(host)
  const { hits } = await memoryOf(host).recall('runbook', { session })
  return hits.some(({ text }) => text === NOTE)
}

/** A folder in which this process, root or not, can write nothing, and the way to end that. */
export function readOnlyFolder(): { path: string; release(): void } {
  const path = join(tempDir(), 'read-only')
  mkdirSync(path)
  if (process.getuid?.() !== 0) {
    chmodSync(path, 0o500)
    return { path, release: () => chmodSync(path, 0o700) }
  }
  try {
    // Modes do not bind root; a read-only mount does.
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro,size=16k', 'none', path], { stdio: 'ignore' })
    return { path, release: () => void execFileSync('umount', ['-l', path]) }
  } catch {
    // Nor may everybody mount: then it is a path at which no folder can be.
    const file = join(path, 'file')
    writeFileSync(file, 'in the way')
    return { path: file, release: () => undefined }
  }
}
