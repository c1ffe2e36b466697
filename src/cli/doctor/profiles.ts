import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE_NAME } from '../../events/index.ts'
import type { Report } from './finding.ts'

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly dsh?: { readonly profile?: { readonly bundles?: readonly string[] } }
}

/** Which profiles of the harness have the plugin, and whether it is loaded there. */
export function checkProfiles(report: Report, home: string): void {
  const folder = join(home, 'profiles')
  const names = existsSync(folder) ? readdirSync(folder) : []
  const manifests = names.flatMap(name => {
    const path = join(folder, name, 'package.json')
    return existsSync(path) ? [{ name, path }] : []
  })
  if (manifests.length === 0) {
    report.note(`${home} has no profiles`, 'If the harness has another home, say so with --home.')
    return
  }
  let mentioned = 0
  for (const { name, path } of manifests) {
    const manifest = readManifest(path)
    if (manifest === undefined) {
      report.problem(`the manifest of profile ${name} cannot be read: ${path}`)
      continue
    }
    const listed = manifest.dsh?.profile?.bundles?.includes(PACKAGE_NAME) === true
    const depends = manifest.dependencies?.[PACKAGE_NAME] !== undefined
    if (!listed && !depends) continue
    mentioned += 1
    const again = `Run \`dsh plugin --profile ${name} add ${PACKAGE_NAME}\`.`
    const installed = join(folder, name, 'node_modules', PACKAGE_NAME, 'package.json')
    if (!listed) report.problem(`profile ${name} has the package but does not load it`, again)
    else if (!existsSync(installed)) report.problem(`profile ${name} loads the plugin, which is not installed`, again)
    else report.ok(`profile ${name} has the plugin, version ${versionOf(installed)}`)
  }
  if (mentioned === 0) {
    report.note(
      `no profile of ${home} has the plugin`,
      `Run \`dsh plugin --profile web add ${PACKAGE_NAME}\`, unless a harness loads it in another way.`,
    )
  }
}

function readManifest(path: string): Manifest | undefined {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return typeof parsed === 'object' && parsed !== null ? (parsed as Manifest) : undefined
  } catch {
    return undefined
  }
}

function versionOf(path: string): string {
  const { version } = (readManifest(path) ?? {}) as { version?: unknown }
  return typeof version === 'string' ? version : 'unknown'
}
