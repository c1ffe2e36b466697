import { fchmodSync, fchownSync, fstatSync, fsyncSync, futimesSync } from 'node:fs'
import { reasonOf } from '../../events/index.ts'
import type { SessionLogFile } from '../roots.ts'
import { CopyWriter } from './copy-writer.ts'
import type { FileIdentity } from './file-identity.ts'
import { noopLine } from './noop.ts'
import { readRecords } from './records.ts'
import { Refusal } from './refusal.ts'

/** Writes the detached copy of a log to a new file, with the mode, owner and times of the log, and syncs it. */
export async function writeCopy(log: SessionLogFile, source: FileIdentity, to: string): Promise<void> {
  const writer = new CopyWriter(to, log.compression)
  try {
    for await (const record of readRecords(log)) {
      if (record.kind === 'header') writer.header(record.bytes)
      else if (record.kind === 'other') writer.line(record.bytes)
      else writer.line(Buffer.from(noopLine(record.event.seq, record.time)))
    }
    writer.finish()
    keepAttributes(writer.descriptor, source)
    fsyncSync(writer.descriptor)
  } finally {
    writer.close()
  }
}

function keepAttributes(fd: number, { stats }: FileIdentity): void {
  const made = fstatSync(fd, { bigint: true })
  try {
    if (made.uid !== stats.uid || made.gid !== stats.gid) fchownSync(fd, Number(stats.uid), Number(stats.gid))
    if (made.mode !== stats.mode) fchmodSync(fd, Number(stats.mode & 0o7777n))
  } catch (error) {
    throw new Refusal(`its owner and mode cannot be kept: ${reasonOf(error)}`)
  }
  // The conversation is as old as it was: what is sorted or tidied by age stays so.
  futimesSync(fd, Number(stats.atimeNs) / 1e9, Number(stats.mtimeNs) / 1e9)
}
