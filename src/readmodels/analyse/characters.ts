import type { Emit } from './compounds.ts'
import { simplify } from './variants.ts'

/** A Han run as an array of simplified characters (whole code points, extension planes included). */
export function hanCharacters(run: string): string[] {
  return Array.from(run, simplify)
}

/** Overlapping pairs of a Han run, and each of its characters alone: any two-character term is found in mid-run. */
export function hanTokens(chars: readonly string[], emit: Emit): void {
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i] ?? ''
    emit(char, 'single', char)
    if (i > 0) {
      const pair = `${chars[i - 1] ?? ''}${char}`
      emit(pair, 'pair', pair)
    }
  }
}

/** Kana, hangul, Thai and their like: overlapping pairs; a run of one character is that character. */
export function unspacedTokens(run: string, emit: Emit): void {
  const chars = Array.from(run.toLowerCase())
  if (chars.length === 1) emit(chars[0] ?? '', 'single', run)
  for (let i = 1; i < chars.length; i++) {
    const pair = `${chars[i - 1] ?? ''}${chars[i] ?? ''}`
    emit(pair, 'pair', pair)
  }
}
