import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { constants, zstdCompressSync } from 'node:zlib'
import type { SessionLogFile } from '../roots.ts'

/** Bytes of unpacked lines in one frame or write. */
const GROUP = 1 << 20
const LINE_END = Buffer.from('\n')
/** As the host writes its frames. */
const CHECKSUMMED = { params: { [constants.ZSTD_c_checksumFlag]: 1 } }

/** Writes a log in the form hosts read: the header in a frame of its own, every frame whole lines with a checksum. */
export class CopyWriter {
  private readonly fd: number
  private readonly compression: SessionLogFile['compression']
  private held: Buffer[] = []
  private heldBytes = 0

  /** The file must not exist yet. */
  constructor(path: string, compression: SessionLogFile['compression']) {
    this.compression = compression
    this.fd = openSync(path, 'wx', 0o600)
  }

  /** The descriptor, for what is to be set on the open file. */
  get descriptor(): number {
    return this.fd
  }

  header(line: Buffer): void {
    this.line(line)
    this.flush()
  }

  line(line: Buffer): void {
    this.held.push(line, LINE_END)
    this.heldBytes += line.length + 1
    if (this.heldBytes >= GROUP) this.flush()
  }

  /** Writes what is held and waits until it is on disk. */
  finish(): void {
    this.flush()
    fsyncSync(this.fd)
  }

  close(): void {
    closeSync(this.fd)
  }

  private flush(): void {
    if (this.held.length === 0) return
    const plain = Buffer.concat(this.held, this.heldBytes)
    this.held = []
    this.heldBytes = 0
    const bytes = this.compression === 'zstd' ? zstdCompressSync(plain, CHECKSUMMED) : plain
    for (let written = 0; written < bytes.length; ) written += writeSync(this.fd, bytes, written)
  }
}
