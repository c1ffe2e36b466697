import type { Report } from './finding.ts'

/** Whether this Node is one that the host and the database run on: `^22.19.0 || >=24`. */
export function checkNode(report: Report, version = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major >= 24 || (major === 22 && minor >= 19)) report.ok(`Node ${version}`)
  else report.problem(`Node ${version} is not supported`, 'Use 22.19 or a later 22, or 24 and up, as the harness does.')
}
