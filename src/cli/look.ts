import { isDocumentId } from '../events/index.ts'
import { census } from '../readmodels/audit/census.ts'
import { history } from '../readmodels/audit/history.ts'
import { latestRecalls } from '../readmodels/audit/recalls.ts'
import { show } from '../readmodels/audit/show.ts'
import { lastTrouble } from '../readmodels/audit/trouble.ts'
import { readDocument } from '../readmodels/cold/read.ts'
import { documentStats } from '../readmodels/cold/stats.ts'
import { isCorrupt } from '../readmodels/database/errors.ts'
import { damaged, openReadOnly } from '../readmodels/database/open.ts'
import {
  describeBlock,
  describeDocument,
  describeDocuments,
  describeHistory,
  describeSpace,
  placeOf,
  shownTime,
} from '../readmodels/index.ts'
import { answerRecall } from '../readmodels/worker/answer.ts'
import { spaceStats } from '../readmodels/worker/spaces.ts'
import { describeFound } from './found.ts'
import { askedNamespace } from './import-namespace.ts'
import { EXIT, type Options, UsageError } from './options.ts'
import type { Output } from './output.ts'

/** Recalls shown by `why`, and hits by `search`. */
const RECALLS = 5
const HITS = 10
/** Pages of earlier turns shown by `search`. */
const PAGES = { topK: 3 } as const

/** `search WORDS`: what memory holds about something, and where it was said. */
export function search(options: Options, output: Output): number {
  const query = options.words.slice(1).join(' ')
  if (query.trim() === '') throw new UsageError('search needs words, as in: search staging port')
  const namespace = askedNamespace(options)
  return looking(options, db => {
    const scope = namespace === undefined ? 'all' : 'namespace'
    const request = { query, scope, namespace: namespace?.id ?? '', topK: HITS, history: true } as const
    const asked = options.noPages ? request : { ...request, pages: PAGES }
    const { hits, pages, superseded, outcome, notice } = answerRecall(db, asked, [], performance.now())
    if (options.json) output.result(JSON.stringify({ hits, pages, superseded, outcome, notice }))
    for (const { id, text, score, why, said, places } of options.json ? [] : hits) {
      const [first] = said
      const where = first === undefined ? '' : `, ${placeOf(first)}${places > 1 ? ` and ${places - 1} more` : ''}`
      output.result(`${id}  ${score.toFixed(3)}  ${shownTime(first?.time ?? 0)}${where}`)
      output.result(`  ${text.replaceAll('\n', '\n  ')}`)
      output.result(`  (${why})`)
    }
    for (const page of options.json ? [] : pages) for (const line of describeFound(page)) output.result(line)
    for (const { id, by, reason } of options.json ? [] : superseded)
      output.result(`replaced: ${id} by ${by}, ${reason}`)
    if (!options.json && notice !== undefined) output.remark(notice)
    return hits.length + pages.length > 0 ? EXIT.ok : EXIT.differs
  })
}

/** `history ID`: every event that touched a block, in event order. */
export function historyOf(options: Options, output: Output): number {
  const [id, ...more] = options.words.slice(1)
  if (id === undefined || more.length > 0) throw new UsageError('history takes one id, as in: history blk_…')
  if (isDocumentId(id)) throw new UsageError(`history is of memories; an archived turn is shown by: show ${id}`)
  const namespace = askedNamespace(options)
  return looking(options, db => {
    const answer = history(db, { id, ...(namespace === undefined ? {} : { namespace: namespace.id }) })
    if (options.json) output.result(JSON.stringify(answer))
    for (const line of options.json ? [] : describeHistory(answer, true)) output.result(line)
    if (answer.total === 0) output.remark(`no event touched ${id}`)
    return answer.total > 0 ? EXIT.ok : EXIT.differs
  })
}

/** `show ID`: a memory as it is now, in each project that has it; or an archived turn, with its pages. */
export function showBlock(options: Options, output: Output): number {
  const [id, ...more] = options.words.slice(1)
  if (id === undefined || more.length > 0) throw new UsageError('show takes one id, as in: show blk_… or show doc_…')
  const namespace = askedNamespace(options)
  if (isDocumentId(id)) return showDocument(id, namespace?.id, options, output)
  return looking(options, db => {
    const views = show(db, { id, ...(namespace === undefined ? {} : { namespace: namespace.id }) })
    if (options.json) output.result(JSON.stringify(views))
    for (const view of options.json ? [] : views) for (const line of describeBlock(view)) output.result(line)
    if (views.length === 0) output.remark(`no memory and no archived turn has the id ${id}`)
    return views.length > 0 ? EXIT.ok : EXIT.differs
  })
}

function showDocument(doc: string, namespace: string | undefined, options: Options, output: Output): number {
  return looking(options, db => {
    const view = readDocument(db, { doc, ...(namespace === undefined ? {} : { namespace }) })
    if (options.json) output.result(JSON.stringify(view))
    else if (view === null) output.remark(`no archived turn has the id ${doc}`)
    else for (const line of describeDocument(view)) output.result(line)
    return view === null ? EXIT.differs : EXIT.ok
  })
}

/** `why [SESSION]`: what was recalled last, and for what reason. */
export function why(options: Options, output: Output): number {
  const [session, ...more] = options.words.slice(1)
  if (more.length > 0) throw new UsageError('why takes one session, or none for all of them')
  return looking(options, db => {
    const recalls = latestRecalls(db, { limit: RECALLS, ...(session === undefined ? {} : { session }) })
    if (options.json) output.result(JSON.stringify(recalls))
    for (const recall of options.json ? [] : recalls) {
      const nothing = recall.hits.length + recall.pages.length > 0 ? '' : `: nothing (${recall.outcome})`
      output.result(`${shownTime(recall.time)}  ${placeOf(recall)}  ${recall.event}  ${recall.mode}${nothing}`)
      for (const { block, score, why: reason, text } of recall.hits) {
        output.result(`  ${block}  ${score.toFixed(3)}  ${reason}`)
        output.result(`    ${(text ?? 'purged since').replaceAll('\n', '\n    ')}`)
      }
      for (const { doc, page, score, why: reason, title } of recall.pages)
        output.result(`  ${doc}, page ${page + 1}  ${score.toFixed(3)}  ${reason}\n    ${title ?? 'not known'}`)
    }
    if (recalls.length === 0)
      output.remark(`no recall was recorded${session === undefined ? '' : ` in session ${session}`}`)
    return recalls.length > 0 ? EXIT.ok : EXIT.differs
  })
}

/** `status`: how much there is, and of what. */
export function status(options: Options, output: Output): number {
  return looking(options, db => {
    const { path, journal } = options
    const trouble = lastTrouble(db)
    const answer = { path, journal, ...census(db), documents: documentStats(db), spaces: spaceStats(db), trouble }
    if (options.json) {
      output.result(JSON.stringify(answer))
      return EXIT.ok
    }
    output.result(`${answer.blocks} memories from ${answer.events} events`)
    output.result(`database: ${answer.path}`)
    output.result(`journal:  ${answer.journal}`)
    for (const { id, label, blocks } of answer.namespaces)
      output.result(`namespace ${id}  ${label}: ${blocks} memories`)
    output.result(describeDocuments(answer.documents))
    for (const space of answer.spaces) output.result(`space ${describeSpace(space)}`)
    if (trouble !== null) output.result(`last trouble, ${shownTime(trouble.time)}: ${trouble.text}`)
    return EXIT.ok
  })
}

/** Runs with the database opened to be looked at; nothing is changed. */
function looking(options: Options, run: (db: ReturnType<typeof openReadOnly>) => number): number {
  const db = openReadOnly(options.path)
  try {
    return run(db)
  } catch (error) {
    throw isCorrupt(error) ? damaged(options.path) : error
  } finally {
    db.close()
  }
}
