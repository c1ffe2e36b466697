import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'

/** The harness home: `$DSH_HOME`, or `.dsh` in the user's home. A blank value counts as unset, as in the host. */
export function dshHome(env: NodeJS.ProcessEnv = process.env): string {
  const home = env.DSH_HOME?.trim()
  return home ? resolve(expand(home)) : join(homedir(), '.dsh')
}

export interface MemoryPaths {
  readonly path: string
  readonly journal: string
}

/** Where database and journal are. Relative settings are below the harness home. */
export function memoryPaths(
  settings: { readonly path?: string | undefined; readonly journal?: string | undefined },
  home = dshHome(),
): MemoryPaths {
  const below = (path: string) => {
    const expanded = expand(path)
    return isAbsolute(expanded) ? expanded : join(home, expanded)
  }
  const path = settings.path ? below(settings.path) : join(home, 'hologram', 'memory.db')
  return { path, journal: settings.journal ? below(settings.journal) : join(dirname(path), 'journal') }
}

/** Where the host stores session logs unless it says otherwise. */
export function defaultSessionRoot(home = dshHome()): string {
  return join(home, 'sessions')
}

function expand(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path
}
