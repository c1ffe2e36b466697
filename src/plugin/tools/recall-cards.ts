import type { GenericCallView, GenericResultView, ToolResult } from '@deepseek-ai/dsh-tools'
import { called, calling, readText } from './view.ts'

const CARDS = { kind: 'search', doing: 'Recall', done: 'Recalled', failed: 'Nothing recalled' } as const

/** A note as the model reads it. Nothing remembered can look like one: its tags are escaped. */
const NOTE = /<note id="([^"]*)" said="([^"]*)">\n([\s\S]*?)\n<\/note>\nwhy: ([^\n]*)/g

export function recallCalling(query: string, scene = ''): GenericCallView {
  return calling(CARDS, subject(query, scene))
}

/** The notes for a person: numbered, their texts as they were said, what follows them as it is. */
export function recallCalled(query: string, scene = '', result: ToolResult): GenericResultView {
  const answer = readText(result)
  let count = 0
  const shown = answer.replace(NOTE, (_, id: string, said: string, note: string, why: string) => {
    count += 1
    const lines = plain(note).replaceAll('\n', '\n   ')
    return `${count}. ${lines}\n   ${plain(said)} · ${id} · ${plain(why)}`
  })
  const found = count === 1 ? '1 memory' : `${count} memories`
  const done = count === 0 ? 'No record' : `Recalled ${found}`
  return called({ ...CARDS, done }, subject(query, scene), result, count === 0 ? plain(shown) : shown)
}

function subject(query: string, scene: string): string {
  return query.trim() === '' && scene !== '' ? `scene ${scene}` : query
}

/** What `inert` made harmless for a model, as it was said: nothing here goes to one. */
function plain(text: string): string {
  return text
    .replace(/&#(x[0-9a-f]+|\d+);/g, (_, code: string) =>
      String.fromCodePoint(Number(`${code.startsWith('x') ? '0' : ''}${code}`)),
    )
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
}
