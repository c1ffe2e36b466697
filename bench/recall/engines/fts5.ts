import { join } from 'node:path'
import DatabaseConstructor from 'better-sqlite3'
import { analyseQuery, analyseText } from '../../../src/readmodels/analyse/index.ts'
import type { EngineMaker, Setting } from './engine.ts'

const BATCH = 1_000

/** A ranked FTS5 table: what is indexed of a text, and the OR that asks for a question. */
function ranked(
  { folder }: Setting,
  options: string,
  indexed: (text: string) => string,
  terms: (question: string) => readonly string[],
): ReturnType<EngineMaker> {
  const db = new DatabaseConstructor(join(folder, 'fts.db'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.exec(`CREATE VIRTUAL TABLE docs USING fts5(tokens, content='', contentless_delete=1, ${options})`)
  const insert = db.prepare('INSERT INTO docs (rowid, tokens) VALUES (?, ?)')
  const find = db.prepare<[string], number>('SELECT rowid FROM docs WHERE docs MATCH ? ORDER BY rank LIMIT 10').pluck()
  let rows = 0
  const addAll = db.transaction((texts: readonly string[]) => {
    for (const text of texts) insert.run(++rows, indexed(text))
  })
  return {
    fill(texts) {
      for (let from = 0; from < texts.length; from += BATCH) addAll(texts.slice(from, from + BATCH))
    },
    addOne: text => addAll([text]),
    ask(question) {
      const asked = [...new Set(terms(question))]
      if (asked.length === 0) return []
      return find.all(asked.map(term => `"${term.replaceAll('"', '""')}"`).join(' OR ')).map(row => row - 1)
    },
    close: () => db.close(),
  }
}

/** `bm25()` over the very tokens of recall: function words cut, stems, Han pairs. The best FTS5 can do with one query. */
export const rankedOr: EngineMaker = setting =>
  ranked(
    setting,
    `tokenize="ascii tokenchars '_'"`,
    text =>
      Array.from(analyseText(text).terms)
        .flatMap(([token, count]) => Array<string>(count).fill(token))
        .join(' '),
    question =>
      analyseQuery(question)
        .terms.filter(term => term.kind !== 'single')
        .map(term => term.token),
  )

const HAN = /\p{Script=Han}+/gu
const WORD = /[\p{L}\p{N}]{3,}/gu

/** SQLite's trigram tokenizer: words of three letters and more, and all windows of three of Han runs. */
export const trigram: EngineMaker = setting =>
  ranked(
    setting,
    `tokenize='trigram'`,
    text => text,
    question => {
      const windows = (question.match(HAN) ?? []).flatMap(run => {
        const chars = Array.from(run)
        return chars.slice(2).map((char, i) => `${chars[i] ?? ''}${chars[i + 1] ?? ''}${char}`)
      })
      return [...windows, ...(question.replace(HAN, ' ').match(WORD) ?? [])]
    },
  )
