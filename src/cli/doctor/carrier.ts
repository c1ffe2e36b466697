import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { reasonOf } from '../../events/index.ts'
import type { Report } from './finding.ts'

const run = promisify(execFile)
/** How long the probe may take, in milliseconds. */
const LIMIT_MS = 20_000

/** Run from source, this module is TypeScript, and so is the probe. */
const PROBE = fileURLToPath(
  new URL(`../../plugin/host/carrier/probe.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
)

interface Probed {
  readonly strategy?: string
  readonly rejected: ReadonlyArray<{ readonly strategy: string; readonly reason: string }>
}

/**
 * Whether events can enter sessions with the host packages that the plugin finds beside itself. Asked of a process of its
 * own: the packages may not be there, and no host is needed for the rest.
 */
export async function checkCarrier(report: Report, probe = PROBE): Promise<void> {
  let probed: Probed
  try {
    const { stdout } = await run(process.execPath, [probe], { timeout: LIMIT_MS, windowsHide: true })
    probed = JSON.parse(stdout) as Probed
  } catch (error) {
    const { stderr } = error as { stderr?: unknown }
    const text = `${String(stderr ?? '')} ${reasonOf(error)}`
    if (/ERR_MODULE_NOT_FOUND|Cannot find (package|module)/.test(text)) {
      report.note(
        'the packages of the host are not beside this installation, so its way for events was not tried',
        'Run the `dsh-hologram` of a profile: profiles/<profile>/node_modules/.bin/dsh-hologram in the harness home.',
      )
    } else report.problem(`the way for events into sessions could not be tried: ${text.trim().split('\n', 1)[0]}`)
    return
  }
  const { strategy, rejected } = probed
  if (strategy !== undefined) {
    report.ok(`events enter sessions by ${strategy}, which marks them as ones a host may ignore`)
    return
  }
  const reasons = rejected.map(one => `${one.strategy}: ${one.reason}`).join('; ')
  report.problem(
    `this host has no safe way for events in sessions: ${reasons}`,
    'They go to the journal only, and nothing is lost. A newer version of the plugin may know a way.',
  )
}
