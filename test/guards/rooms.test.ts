/** design.md's table of rooms, as a rule over import statements. */
import { describe, expect, it } from 'vitest'
import { importsOf, roomOf, type Source, sources } from './source.ts'

/** Rooms a room may import, beside itself. */
const MAY: Readonly<Record<string, readonly string[]>> = {
  events: [],
  redaction: ['events'],
  commands: ['events', 'redaction'],
  projections: ['events'],
  readmodels: ['events'],
  logs: ['events'],
  embedding: [],
  plugin: ['events', 'redaction', 'commands', 'projections', 'readmodels', 'logs', 'embedding'],
  cli: ['events', 'redaction', 'commands', 'projections', 'readmodels', 'logs', 'embedding'],
}

/** The worker owns the journal, and so reads and writes what is in `logs`; what it keeps of logs it redacts first. */
const ALSO = [
  { below: 'src/readmodels/worker/', room: 'logs' },
  { below: 'src/readmodels/worker/', room: 'redaction' },
]

/** Who may know the database behind the port: its own room, and commands that run without a host. */
const SQL = /better-sqlite3|\b(?:SELECT|INSERT INTO|DELETE FROM|UPDATE|CREATE TABLE|PRAGMA)\s+[\w*(]/

function forbiddenImports(files: readonly Source[]): string[] {
  return files.flatMap(file =>
    importsOf(file).flatMap(({ target }) => {
      if (target === undefined) return []
      const [from, to] = [roomOf(file.path), roomOf(target)]
      if (from === to || MAY[from]?.includes(to)) return []
      return ALSO.some(({ below, room }) => file.path.startsWith(below) && room === to)
        ? []
        : [`${file.path} → ${target}`]
    }),
  )
}

function sqlOutside(files: readonly Source[]): string[] {
  return files.filter(({ path, text }) => roomOf(path) !== 'readmodels' && SQL.test(text)).map(({ path }) => path)
}

/** Two files that import each other, however far around; one line a circle. */
function circles(files: readonly Source[]): string[] {
  const edges = new Map(files.map(file => [file.path, importsOf(file).flatMap(({ target }) => target ?? [])]))
  const done = new Set<string>()
  const found: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path)
    if (at >= 0) {
      found.push([...trail.slice(at), path].join(' → '))
      return
    }
    if (done.has(path)) return
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path])
    done.add(path)
  }
  for (const path of edges.keys()) visit(path, [])
  return found
}

const file = (path: string, text: string): Source => ({ path, text })

describe('rooms', () => {
  it('there are the rooms of the table and no others', () => {
    const rooms = new Set(sources().map(({ path }) => roomOf(path)))
    for (const room of rooms) expect(Object.keys(MAY)).toContain(room)
    expect(rooms.size).toBeGreaterThan(5)
  })

  it('each imports only what it may', () => {
    expect(forbiddenImports(sources())).toEqual([])
  })

  it.each([
    ['src/commands/x.ts', "import { a } from '../projections/index.ts'"],
    ['src/projections/x.ts', "export * from '../readmodels/index.ts'"],
    ['src/readmodels/recall/x.ts', "import type { B } from '../../commands/index.ts'"],
    ['src/readmodels/recall/x.ts', "import { C } from '../../logs/index.ts'"],
    ['src/events/x.ts', "import '../logs/index.ts'"],
    ['src/cli/x.ts', "const { d } = await import('../plugin/index.ts')"],
    ['src/commands/x.ts', "import {\n  e,\n} from '../readmodels/port.ts'"],
  ])('the guard sees it: %s with %s', (path, text) => {
    expect(forbiddenImports([file(path, text)])).toHaveLength(1)
  })

  it.each([
    ['src/readmodels/worker/x.ts', "import { C } from '../../logs/index.ts'"],
    ['src/plugin/x.ts', "import { C } from '../logs/index.ts'"],
    ['src/commands/x.ts', "// import { a } from '../projections/index.ts'"],
  ])('and lets be what is allowed: %s with %s', (path, text) => {
    expect(forbiddenImports([file(path, text)])).toEqual([])
  })

  it('nothing outside the read models knows SQL or SQLite', () => {
    expect(sqlOutside(sources())).toEqual([])
  })

  it.each([
    "import D from 'better-sqlite3'",
    "db.exec('SELECT * FROM x')",
    'q(`DELETE FROM t`)',
    "p('PRAGMA user_version')",
  ])('the guard sees it: %s', text => {
    expect(sqlOutside([file('src/plugin/x.ts', text)])).toHaveLength(1)
    expect(sqlOutside([file('src/readmodels/x.ts', text)])).toEqual([])
  })

  it('no file imports itself by any way around', () => {
    expect(circles(sources())).toEqual([])
  })

  it('the guard sees a circle of three', () => {
    const ring = ['a', 'b', 'c'].map((name, at) => file(`src/events/${name}.ts`, `import './${'bca'[at]}.ts'`))
    expect(circles(ring)).toHaveLength(1)
    expect(circles(ring.slice(0, 2))).toEqual([])
  })
})
