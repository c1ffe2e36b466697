/** The text of our sources, and what it imports: guards read it and import nothing of it. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'

export const ROOT = join(import.meta.dirname, '..', '..')

export interface Source {
  /** From the project's root, with slashes: `src/plugin/index.ts`. */
  readonly path: string
  readonly text: string
}

/** Every TypeScript file below `src`. */
export function sources(): Source[] {
  const src = join(ROOT, 'src')
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => ({ path: `src/${name.replaceAll('\\', '/')}`, text: readFileSync(join(src, name), 'utf8') }))
}

/** Every text file that is tracked, or would be if it were added. */
export function trackedFiles(): Source[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return listed.split('\0').flatMap(path => {
    if (path === '') return []
    try {
      const text = readFileSync(join(ROOT, path), 'utf8')
      return text.includes('\0') ? [] : [{ path: relative('.', path).replaceAll('\\', '/'), text }]
    } catch {
      return []
    }
  })
}

export const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`\\])\/\/.*$/gm, '$1')

export interface Import {
  /** As it is written. */
  readonly specifier: string
  /** The imported file from the root, for imports of ours. */
  readonly target: string | undefined
}

const IMPORT =
  /\b(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\s*['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]/g

/** What a file imports, types and dynamic imports included. */
export function importsOf({ path, text }: Source): Import[] {
  return [...withoutComments(text).matchAll(IMPORT)].map(match => {
    const specifier = match[1] ?? match[2] ?? match[3] ?? ''
    const ours = specifier.startsWith('.')
    return { specifier, target: ours ? posix.normalize(posix.join(dirname(path), specifier)) : undefined }
  })
}

/** The room a file is in: `src/plugin/host/place.ts` is in `plugin`. */
export function roomOf(path: string): string {
  return path.split('/')[1] ?? ''
}
