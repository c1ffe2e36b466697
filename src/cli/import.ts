import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { sniff } from '../logs/portable/index.ts'
import { importLegacy } from './import-legacy.ts'
import { importPortable } from './import-portable.ts'
import { type Options, UsageError } from './options.ts'
import type { Output } from './output.ts'

/** `import`: takes a portable journal, or a database of the earlier port, into journal and database. */
export async function importFile(options: Options, output: Output): Promise<number> {
  const [file, ...more] = options.words.slice(1)
  if (file === undefined || more.length > 0) throw new UsageError('import takes one file, as in: import memory.jsonl')
  const path = resolve(file)
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) throw new UsageError(`there is no file ${path}`)
  switch (sniff(path)) {
    case 'portable':
      return importPortable(path, options, output)
    case 'sqlite':
      return importLegacy(path, options, output)
    case 'journal stream':
      throw new UsageError(
        `${path} is a stream of a journal, which may lack its end; make a portable journal with \`export\`, and import that`,
      )
    case 'empty':
      throw new UsageError(`${path} is empty; nothing was imported`)
    case 'foreign':
      throw new UsageError(
        `${path} is neither a portable journal nor an SQLite database, or its beginning is damaged; nothing was imported`,
      )
  }
}
