import { type FileHandle, open } from 'node:fs/promises'
import { createZstdDecompress, zstdDecompressSync } from 'node:zlib'

const MAGIC = 0xfd2fb528
const SKIPPABLE_MAGIC = 0x184d2a50
/** Frames up to this size are decompressed in one call, larger ones as a stream. Bytes. */
const WHOLE_FRAME = 1 << 20
const DECOMPRESSED_AT_ONCE = 64 << 20

/**
 * The decompressed bytes of a file of concatenated zstd frames, which is how a stored session log is written. Node's own
 * stream ends after the first frame, so the frames are walked by their block headers (RFC 8878, section 3.1.1). A torn
 * last frame ends the stream quietly: what it held was never acknowledged by the log.
 */
export async function* readZstd(path: string): AsyncGenerator<Buffer> {
  const file = await open(path, 'r')
  try {
    let at = 0
    for (;;) {
      const frame = await findFrame(file, at)
      if (frame === undefined) return
      if (!frame.skip) yield* decompress(file, at, frame.length)
      at += frame.length
    }
  } finally {
    await file.close()
  }
}

async function* decompress(file: FileHandle, at: number, length: number): AsyncGenerator<Buffer> {
  if (length <= WHOLE_FRAME) {
    const whole = wholeFrame(await readExactly(file, at, length))
    if (whole !== undefined) {
      yield whole
      return
    }
  }
  const stream = file
    .createReadStream({ start: at, end: at + length - 1, autoClose: false })
    .pipe(createZstdDecompress())
  for await (const chunk of stream) yield chunk as Buffer
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

/** Length in bytes of the frame at an offset; `undefined` at the end of the file or where the frame is torn. */
async function findFrame(file: FileHandle, at: number): Promise<{ length: number; skip: boolean } | undefined> {
  const head = await readUpTo(file, at, 18)
  if (head.length < 8) return undefined
  const magic = head.readUInt32LE(0)
  const { size } = await file.stat()
  if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC) {
    const length = 8 + head.readUInt32LE(4)
    return at + length > size ? undefined : { length, skip: true }
  }
  if (magic !== MAGIC) throw new Error(`not a zstd frame at byte ${at}`)
  const descriptor = head.readUInt8(4)
  const singleSegment = (descriptor & 0x20) !== 0
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0
  const contentSize = [singleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
  let length = 5 + (singleSegment ? 0 : 1) + dictionary + contentSize
  for (;;) {
    const header = await readUpTo(file, at + length, 3)
    if (header.length < 3) return undefined
    const block = header.readUIntLE(0, 3)
    // A run-length block stores one byte, whatever its size says.
    length += 3 + (((block >> 1) & 3) === 1 ? 1 : block >> 3)
    if ((block & 1) === 1) break
  }
  if ((descriptor & 4) !== 0) length += 4
  return at + length > size ? undefined : { length, skip: false }
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
