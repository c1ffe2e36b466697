/** A file system of 2 MB of its own, to be filled, where this machine lets us have one. */
import { spawnSync } from 'node:child_process'
import { tempDir } from './temp.ts'

export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command on a small disk that only it sees; its folder is the last argument. */
export function onSmallDisk(...command: readonly string[]): Ended {
  const shell = 'mount -t tmpfs -o size=2m tmpfs "$0" && exec "$@" "$0"'
  return spawnSync('unshare', ['-rm', 'sh', '-c', shell, tempDir(), ...command], { encoding: 'utf8' })
}

export const haveSmallDisk = (): boolean => onSmallDisk('true').status === 0
