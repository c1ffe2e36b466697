import { type EmbeddingFailure, failure } from '../failure.ts'
import { field } from '../protocols/index.ts'
import type { Answer } from './exchange.ts'
import { retryAfter } from './retry.ts'
import { quote } from './scrub.ts'

export type Json =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: EmbeddingFailure }

/**
 * The JSON value of a right answer, or why it is not one. A service is quoted only where its body is whole JSON: in
 * anything else a key could hide in a form that nobody looks for.
 */
export function readAnswer(answer: Answer, apiKey: string): Json {
  if (!answer.ok) return answer
  const { status, headers, bytes } = answer
  const parsed = parse(bytes)
  if (status >= 200 && status < 300) {
    if (!parsed.ok)
      return failed('not_json', `the answer is not JSON (${bytes.length} bytes${kindOf(headers)})`, status)
    const said = errorOf(parsed.value)
    if (said === undefined) return parsed
    return failed('error_body', `the service answered ${status} with an error${colon(quote(said, apiKey))}`, status)
  }
  if (status >= 300 && status < 400) {
    return failed(
      'redirect',
      `the service answered ${status}, a redirect; set embed.endpoint to the final address`,
      status,
    )
  }
  const said = parsed.ok ? (errorOf(parsed.value) ?? wordsOf(parsed.value) ?? '') : ''
  const wait = retryAfter(headers['retry-after'], Date.now())
  return {
    ok: false,
    error: failure('http_status', `the service answered ${status}${colon(quote(said, apiKey))}`, {
      status,
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    }),
  }
}

function parse(bytes: Buffer): Json {
  try {
    return { ok: true, value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) }
  } catch {
    return failed('not_json', '', 0)
  }
}

/** The error that a body reports, as text; `undefined` when it reports none. */
function errorOf(value: unknown): string | undefined {
  const error = field(value, 'error')
  if (error === undefined || error === null || error === false || error === '') return undefined
  return typeof error === 'string' ? error : (wordsOf(error) ?? '')
}

function wordsOf(value: unknown): string | undefined {
  return [field(value, 'message'), field(value, 'detail')].find(words => typeof words === 'string')
}

function kindOf(headers: Extract<Answer, { ok: true }>['headers']): string {
  return /^text\/html\b/i.test(headers['content-type'] ?? '') ? ' of HTML' : ''
}

function colon(words: string): string {
  return words === '' ? '' : `: ${words}`
}

function failed(code: 'not_json' | 'error_body' | 'redirect', message: string, status: number): Json {
  return { ok: false, error: failure(code, message, { status }) }
}
