import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A line of `corpus.jsonl`. */
export interface CorpusLine {
  readonly id: string
  readonly text: string
  readonly scope?: string
  readonly session?: string
  readonly time?: string
  readonly speaker?: string
}

/** A line of `queries.jsonl`. */
export interface QueryLine {
  readonly id: string
  readonly text: string
  readonly scope?: string
  readonly gold: readonly string[]
  readonly category?: string
}

export interface EvaluationSet {
  readonly name: string
  readonly kind: 'conversation' | 'facts'
  readonly bySession: boolean
  readonly corpus: readonly CorpusLine[]
  readonly queries: readonly QueryLine[]
}

function lines<T>(file: string): T[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => JSON.parse(line) as T)
}

/** Reads a set folder: `corpus.jsonl`, `queries.jsonl`, `meta.json`. */
export function readSet(folder: string): EvaluationSet {
  const meta = JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8')) as {
    name: string
    kind: 'conversation' | 'facts'
    evaluate?: string
  }
  return {
    name: meta.name,
    kind: meta.kind,
    bySession: meta.evaluate === 'session',
    corpus: lines<CorpusLine>(join(folder, 'corpus.jsonl')),
    queries: lines<QueryLine>(join(folder, 'queries.jsonl')),
  }
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/** The times the sets write, as milliseconds UTC: `1:56 pm on 8 May, 2023`, `2023/07/12 (Wed) 10:14`, `2023-12-25`. */
export function parseTime(time: string | undefined): number | undefined {
  if (time === undefined) return undefined
  const spoken = /(\d{1,2}):(\d\d) ([ap]m) on (\d{1,2}) (\w+),? (\d{4})/.exec(time)
  if (spoken) {
    const [, hour = '', minute = '', half, day = '', month = '', year = ''] = spoken
    const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0)
    return Date.UTC(Number(year), MONTHS.indexOf(month.slice(0, 3).toLowerCase()), Number(day), hours, Number(minute))
  }
  const written = /(\d{4})[/-](\d{1,2})[/-](\d{1,2})(?:\D+(\d{1,2}):(\d\d))?/.exec(time)
  if (written) {
    const [year = 0, month = 1, day = 1, hour = 0, minute = 0] = written.slice(1).map(part => Number(part ?? 0))
    return Date.UTC(year, month - 1, day, hour, minute)
  }
  return undefined
}
