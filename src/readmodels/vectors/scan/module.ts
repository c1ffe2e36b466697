/**
 * The scan as a WebAssembly module, written out instruction by instruction: it is 40 instructions long, so it needs no
 * compiler and no binary in the repository. `scanPage.ts` says what it computes, in the language of the rest.
 */

/** LEB128, unsigned. */
function leb(value: number): number[] {
  const low = value & 0x7f
  return value < 0x80 ? [low] : [low | 0x80, ...leb(value >>> 7)]
}

const sized = (bytes: readonly number[]): number[] => [...leb(bytes.length), ...bytes]
const section = (id: number, bytes: readonly number[]): number[] => [id, ...sized(bytes)]
const text = (name: string): number[] => sized([...new TextEncoder().encode(name)])

const I32 = 0x7f
const V128 = 0x7b

/** Parameters, then locals. */
const [CODES, TABLES, GROUPS, BLOCKS, OUT] = [0, 1, 2, 3, 4]
const [TABLE, LEFT] = [5, 6]
const [EVEN_LOW, ODD_LOW, EVEN_HIGH, ODD_HIGH, LOW, HIGH, PAIR, LOOKUP, NIBBLES] = [7, 8, 9, 10, 11, 12, 13, 14, 15]

const get = (local: number): number[] => [0x20, local]
const set = (local: number): number[] => [0x21, local]
const tee = (local: number): number[] => [0x22, local]
const int = (value: number): number[] => [0x41, value]
/** Positive constants below 8,192: signed LEB128 of two bytes. */
const wide = (value: number): number[] => [0x41, (value & 0x7f) | 0x80, value >>> 7]
const simd = (opcode: number, ...rest: number[]): number[] => [0xfd, ...leb(opcode), ...rest]

const ADD = 0x6a
const SUB = 0x6b
const load = (offset: number): number[] => simd(0x00, 0, ...leb(offset))
const store = (offset: number): number[] => simd(0x0b, 0, ...leb(offset))
const ZERO = simd(0x0c, ...Array<number>(16).fill(0))
const FIFTEENS = simd(0x0c, ...Array<number>(16).fill(15))
const SWIZZLE = simd(0x0e)
const AND = simd(0x4e)
const ADD_BYTES = simd(0x6e)
const SHIFT_LEFT = simd(0x8b)
const SHIFT_RIGHT = simd(0x8d)
const ADD_SHORTS = simd(0x8e)
const SUB_SHORTS = simd(0x91)

/** Adds one group of two dimensions, for 32 vectors, to the sums of bytes. */
function group(at: number): number[] {
  return [
    ...get(TABLE),
    ...load(16 * at),
    ...set(LOOKUP),
    ...get(CODES),
    ...load(16 * at),
    ...set(PAIR),
    ...get(LOOKUP),
    ...get(PAIR),
    ...get(NIBBLES),
    ...AND,
    ...SWIZZLE,
    ...(at === 0 ? [] : [...get(LOW), ...ADD_BYTES]),
    ...set(LOW),
    ...get(LOOKUP),
    ...get(PAIR),
    ...int(4),
    ...SHIFT_RIGHT,
    ...get(NIBBLES),
    ...AND,
    ...SWIZZLE,
    ...(at === 0 ? [] : [...get(HIGH), ...ADD_BYTES]),
    ...set(HIGH),
  ]
}

/** Adds the sums of bytes to two sums of shorts: one of bytes at odd places, one of whole shorts. */
const widen = (from: number, whole: number, odd: number): number[] => [
  ...get(from),
  ...get(whole),
  ...ADD_SHORTS,
  ...set(whole),
  ...get(from),
  ...int(8),
  ...SHIFT_RIGHT,
  ...get(odd),
  ...ADD_SHORTS,
  ...set(odd),
]

/** Writes the sums of 16 vectors: first those at even places, then those at odd ones. */
const write = (whole: number, odd: number, offset: number): number[] => [
  ...get(OUT),
  ...get(whole),
  ...get(odd),
  ...int(8),
  ...SHIFT_LEFT,
  ...SUB_SHORTS,
  ...store(offset),
  ...get(OUT),
  ...get(odd),
  ...store(offset + 16),
]

const advance = (local: number, by: number[]): number[] => [...get(local), ...by, ADD, ...set(local)]
/** Counts down, and goes round again while there is something left. */
const again = (local: number): number[] => [...get(local), ...int(1), SUB, ...tee(local), 0x0d, 0]
const LOOP = [0x03, 0x40]
const END = [0x0b]

const BODY = [
  ...FIFTEENS,
  ...set(NIBBLES),
  ...LOOP,
  ...[EVEN_LOW, ODD_LOW, EVEN_HIGH, ODD_HIGH].flatMap(sum => [...ZERO, ...set(sum)]),
  ...get(TABLES),
  ...set(TABLE),
  ...get(GROUPS),
  ...set(LEFT),
  ...LOOP,
  ...[0, 1, 2, 3].flatMap(group),
  ...widen(LOW, EVEN_LOW, ODD_LOW),
  ...widen(HIGH, EVEN_HIGH, ODD_HIGH),
  ...advance(CODES, wide(64)),
  ...advance(TABLE, wide(64)),
  ...again(LEFT),
  ...END,
  ...write(EVEN_LOW, ODD_LOW, 0),
  ...write(EVEN_HIGH, ODD_HIGH, 32),
  ...advance(OUT, wide(64)),
  ...again(BLOCKS),
  ...END,
  ...END,
]

/** `scan(codes, tables, fours of groups, blocks, out)` over the memory `env.memory`. */
export function scanModule(): Uint8Array {
  const signature = [0x60, ...sized(Array<number>(5).fill(I32)), 0]
  const locals = [2, 2, I32, 9, V128]
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, ...signature]),
    ...section(2, [1, ...text('env'), ...text('memory'), 2, 0, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...text('scan'), 0, 0]),
    ...section(10, [1, ...sized([...locals, ...BODY])]),
  ])
}
