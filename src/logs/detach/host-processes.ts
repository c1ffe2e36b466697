import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type HostPlaces, type HostProcess, listProc } from './host-proc.ts'

export type { HostPlaces, HostProcess } from './host-proc.ts'

export type HostFinder = (places: HostPlaces) => Promise<HostProcess[]>

const run = promisify(execFile)
const WINDOWS_LIST = `Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.CommandLine)" }`

/**
 * Looks for running hosts. The host has no lock and no pid file, and opens a log only for the moment of a write, so
 * what can be looked at is the processes: on Linux command line, environment and open files, elsewhere the command
 * line. Throws when processes cannot be listed: not knowing is not the same as there being none.
 */
export const findHosts: HostFinder = places => {
  if (process.platform === 'linux') return listProc(places)
  return process.platform === 'win32'
    ? listCommands('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', WINDOWS_LIST])
    : listCommands('ps', ['-axww', '-o', 'pid=,args='])
}

/** Any host counts here, whichever its home. */
export async function listCommands(command: string, args: readonly string[]): Promise<HostProcess[]> {
  const { stdout } = await run(command, [...args], { maxBuffer: 64 << 20, windowsHide: true })
  return stdout.split('\n').flatMap(line => {
    const [, pid, rest] = /^\s*(\d+)\s+(.*?)\s*$/.exec(line) ?? []
    if (rest === undefined || Number(pid) === process.pid || !isHostCommand(rest)) return []
    return [{ pid: Number(pid), why: rest }]
  })
}

/** Whether a command line, as one string, runs the host's launcher. */
export function isHostCommand(line: string): boolean {
  return /(^|[\\/\s"])(dsh(\.cmd|\.exe)?|@deepseek-ai[\\/]dsh[\\/]lib[\\/]bin\.js)($|[\s"])/.test(line)
}
