/**
 * The real migrator from format 0 to 1, as published. Its packages name versions of each other that were never
 * published, so they have a folder, an override and a lock file of their own, and are installed here at first use.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

interface MigratedEvent {
  readonly type: string
  readonly seq: number
  readonly time: number
  readonly data: unknown
}

interface Artifact {
  readonly header: { readonly version: number }
  readonly inheritedEventCount: number
  readonly events: readonly MigratedEvent[]
}

/** What is used of `@deepseek-ai/dsh-session-format`. */
interface Format {
  createSessionFormatCatalog(options: object): {
    createRestore(
      header: unknown,
      options: { readonly recovery: 'strict' | 'recoverable'; readonly validation: 'current' },
    ): { decodeRow(row: unknown): void; finish(): Artifact }
  }
}

/** What is used of `@deepseek-ai/dsh-session-format-v0-to-v1`. */
interface Edge {
  readonly sessionFormatV0ToV1: object
  readonly releasedV0SessionFormatCodec: object
  readonly releasedV1SessionFormatCodec: object
  readonly RELEASED_V0_EVENT_TYPES: ReadonlySet<string>
  restoreReleasedV1Artifact(artifact: Artifact, known: ReadonlySet<string>): Artifact
  assertReleasedV1Header(header: unknown): void
  assertReleasedArtifactRelationships(artifact: Artifact): void
}

export type Migrate = (text: string) => Artifact

/** Returns the migration of a stored log's text; it throws what the migrator throws. */
export async function loadMigrator(): Promise<Migrate> {
  const folder = fileURLToPath(new URL('migrator', import.meta.url))
  install(folder)
  const format = (await load(folder, 'dsh-session-format')) as Format
  const edge = (await load(folder, 'dsh-session-format-v0-to-v1')) as Edge
  const known = new Set(edge.RELEASED_V0_EVENT_TYPES)
  // As the host's own catalogue puts it together, with format 1 as the current one.
  const catalog = format.createSessionFormatCatalog({
    currentVersion: 1,
    migrations: [edge.sessionFormatV0ToV1],
    codecs: [edge.releasedV0SessionFormatCodec, edge.releasedV1SessionFormatCodec],
    restoreCurrentHeader: (header: unknown) => {
      edge.assertReleasedV1Header(header)
      return header
    },
    restoreCurrent: (artifact: Artifact) => edge.restoreReleasedV1Artifact(artifact, known),
    restoreTransformedCurrent: (artifact: Artifact) => edge.restoreReleasedV1Artifact(artifact, known),
    currentEncoder: { encodeHeader: () => ({}), encodeEvent: () => ({}) },
  })
  return text => {
    const [header, ...rows] = text.split('\n').filter(line => line !== '')
    const restore = catalog.createRestore(JSON.parse(header ?? 'null'), { recovery: 'strict', validation: 'current' })
    for (const row of rows) restore.decodeRow(JSON.parse(row))
    const artifact = restore.finish()
    edge.assertReleasedArtifactRelationships(artifact)
    return artifact
  }
}

function install(folder: string): void {
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  const stamp = join(folder, 'node_modules', '.installed-from')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'pipe',
    shell: process.platform === 'win32',
  })
  writeFileSync(stamp, lock)
}

function load(folder: string, name: string): Promise<unknown> {
  return import(pathToFileURL(join(folder, 'node_modules', '@deepseek-ai', name, 'lib', 'index.js')).href)
}
