import { lstatSync } from 'node:fs'
import { resolve } from 'node:path'
import { reasonOf } from '../events/index.ts'
import { EventSpool, writePortable } from '../logs/portable/index.ts'
import { collectEvents } from './export-collect.ts'
import { EXIT, type Options, UsageError } from './options.ts'
import { type Output, progress } from './output.ts'

const NAMESPACE = /^ns_[0-9a-f]{24}$/

/** `export`: writes the events of journal, session logs, or both to one portable journal. Changes neither. */
export async function exportJournal(options: Options, output: Output): Promise<number> {
  const { from, journal, roots, namespaces, json } = options
  const path = target(options.words.slice(1))
  const wrong = namespaces.find(id => !NAMESPACE.test(id))
  if (wrong !== undefined)
    throw new UsageError(`--namespace takes the id of a namespace, ns_ and 24 digits, not ${wrong}`)
  const spool = openSpool(path)
  try {
    const collected = await collectEvents({ from, journal, roots, namespaces }, spool, progress(output, 'events read'))
    const missing = namespaces.filter(id => !collected.namespaces.has(id))
    if (missing.length > 0) throw new UsageError(noNamespace(missing, collected.namespaces))
    const { bytes } = write(path, spool)
    const { skipped, issues, others } = collected
    if (json) output.result(JSON.stringify({ path, from, events: spool.count, bytes, skipped, issues, others }))
    else {
      output.result(`exported ${spool.count} events to ${path} (${bytes} bytes), from ${from}`)
      for (const [reason, count] of Object.entries(skipped)) output.remark(`${count} events left out: ${reason}`)
      if (issues > 0) output.remark(`${issues} damaged places in logs or journal were passed over`)
      if (others > 0)
        output.remark(`${others} events of other namespaces are in it, because they act in every namespace`)
    }
    return EXIT.ok
  } finally {
    spool.close()
  }
}

function target([file, ...more]: readonly string[]): string {
  if (file === undefined || more.length > 0)
    throw new UsageError('export takes one file to write, as in: export memory.jsonl')
  const path = resolve(file)
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw new UsageError(taken(path))
  return path
}

/** Beside the file itself, so that there is room for it and nobody else's eyes are on it. */
function openSpool(path: string): EventSpool {
  try {
    return new EventSpool(`${path}.${process.pid}.spool`)
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${reasonOf(error)}`)
  }
}

function write(path: string, spool: EventSpool): { readonly bytes: number } {
  try {
    return writePortable(path, spool.count, spool.lines())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new UsageError(taken(path))
    throw error
  }
}

function taken(path: string): string {
  return `${path} is there already and was left alone; choose another name`
}

function noNamespace(missing: readonly string[], known: ReadonlyMap<string, string>): string {
  const there = [...known].map(([id, label]) => `${id} (${label})`).join(', ')
  return `no event is of namespace ${missing.join(', ')}; there are ${there || 'none'}. Nothing was written`
}
