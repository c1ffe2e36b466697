import { once } from 'node:events'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { constants, createZstdDecompress, zstdDecompressSync } from 'node:zlib'
import { reasonOf } from '../events/index.ts'

const MAGIC = 0xfd2fb528
const MAGIC_BYTES = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
const SKIPPABLE_MAGIC = 0x184d2a50
/** Frames up to this size are decompressed in one call, larger ones as a stream. Bytes. */
const WHOLE_FRAME = 1 << 20
const DECOMPRESSED_AT_ONCE = 64 << 20
const LINE_END = Buffer.from('\n')

/** Where a frame is, in bytes. A torn one is not all there. */
interface Frame {
  readonly at: number
  readonly length: number
  readonly kind: 'data' | 'skippable' | 'torn'
}

/**
 * The decompressed bytes of a file of concatenated zstd frames, which is how a stored session log is written. Node's own
 * stream ends after the first frame, so the frames are walked by their block headers (RFC 8878, section 3.1.1).
 *
 * Of a torn last frame comes what can be had, because that is what a host keeps of it. A damaged frame is reported and
 * left out, its place taken by a line end, and reading goes on at the next frame.
 */
export async function* readZstd(path: string, onDamage: (reason: string) => void): AsyncGenerator<Buffer> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    for (let at = 0; at < size; ) {
      try {
        const frame = await findFrame(file, at, size)
        if (frame.kind === 'torn' && (await findMagic(file, at + 1, size)) < size) {
          throw new Error('the frame runs into the next one')
        }
        if (frame.kind !== 'skippable') yield* decompress(file, frame)
        at += frame.length
      } catch (error) {
        onDamage(`frame at byte ${at}: ${reasonOf(error)}`)
        yield LINE_END
        at = await findMagic(file, at + 1, size)
      }
    }
  } finally {
    await file.close()
  }
}

async function* decompress(file: FileHandle, frame: Frame): AsyncGenerator<Buffer> {
  if (frame.kind === 'torn') {
    yield* beginning(unpack(file, frame))
    return
  }
  if (frame.length <= WHOLE_FRAME) {
    const whole = wholeFrame(await readExactly(file, frame.at, frame.length))
    if (whole !== undefined) {
      yield whole
      return
    }
  }
  // Its checksum stands at its end, and nothing of a damaged frame may be taken for an event: so it is unpacked twice.
  const check = unpack(file, frame)
  while (!(await check.next()).done);
  yield* unpack(file, frame)
}

async function* unpack(file: FileHandle, frame: Frame): AsyncGenerator<Buffer> {
  const source = Readable.from(pieces(file, frame))
  const stream = createZstdDecompress(frame.kind === 'torn' ? { finishFlush: constants.ZSTD_e_flush } : {})
  source.on('error', error => stream.destroy(error))
  try {
    for await (const chunk of source.pipe(stream)) yield chunk as Buffer
  } finally {
    // A reader that leaves early must not close the file under a read that is still going on.
    source.destroy()
    if (!source.closed) await once(source, 'close')
  }
}

async function* pieces(file: FileHandle, { at, length }: Frame): AsyncGenerator<Buffer> {
  for (let read = 0; read < length; ) {
    const piece = await readUpTo(file, at + read, Math.min(64 << 10, length - read))
    if (piece.length === 0) return
    yield piece
    read += piece.length
  }
}

/** What a source gives until it fails. */
async function* beginning(source: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* source
  } catch {
    // The rest of a torn frame is garbage by nature.
  }
}

/** `undefined` when the frame unpacks to more than should be held at once. */
function wholeFrame(bytes: Buffer): Buffer | undefined {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: DECOMPRESSED_AT_ONCE })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

async function findFrame(file: FileHandle, at: number, size: number): Promise<Frame> {
  const torn: Frame = { at, length: size - at, kind: 'torn' }
  const whole = (length: number, kind: 'data' | 'skippable'): Frame =>
    at + length > size ? torn : { at, length, kind }
  const head = await readUpTo(file, at, 8)
  if (head.length < 4) return torn
  const magic = head.readUInt32LE(0)
  if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC) {
    return head.length < 8 ? torn : whole(8 + head.readUInt32LE(4), 'skippable')
  }
  if (magic !== MAGIC) throw new Error('not a zstd frame')
  if (head.length < 5) return torn
  const descriptor = head.readUInt8(4)
  const singleSegment = (descriptor & 0x20) !== 0
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0
  const contentSize = [singleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
  let length = 5 + (singleSegment ? 0 : 1) + dictionary + contentSize
  for (;;) {
    const header = await readUpTo(file, at + length, 3)
    if (header.length < 3) return torn
    const block = header.readUIntLE(0, 3)
    // A run-length block stores one byte, whatever its size says.
    length += 3 + (((block >> 1) & 3) === 1 ? 1 : block >> 3)
    if ((block & 1) === 1) break
  }
  if ((descriptor & 4) !== 0) length += 4
  return whole(length, 'data')
}

/** Where the next frame seems to start, from an offset on; the size of the file when none does. */
async function findMagic(file: FileHandle, from: number, size: number): Promise<number> {
  const step = 64 << 10
  for (let at = from; at < size; at += step) {
    const found = (await readUpTo(file, at, step + MAGIC_BYTES.length - 1)).indexOf(MAGIC_BYTES)
    if (found >= 0) return at + found
  }
  return size
}

async function readUpTo(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

async function readExactly(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  for (let read = 0; read < length; ) {
    const { bytesRead } = await file.read(bytes, read, length - read, position + read)
    if (bytesRead === 0) throw new Error(`file ended at byte ${position + read}`)
    read += bytesRead
  }
  return bytes
}
