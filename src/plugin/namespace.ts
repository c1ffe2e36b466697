import { realpath } from 'node:fs/promises'
import type { Session, SessionHeader } from '@deepseek-ai/dsh-session'
import { type Namespace, namedNamespace, projectNamespace, sessionNamespace } from '../events/index.ts'

/** Looks up the header of a session that may not be live. */
export type FindHeader = (id: string) => Promise<SessionHeader | undefined>

/** The namespace of everything that happens outside of any session. */
export const NO_SESSION: Namespace = namedNamespace('default')

/** Longest chain of forks that is followed to its root. */
const MAX_FORKS = 1_000

/**
 * Finds and remembers the namespace of sessions. `project` goes by the real path of the session's own workspace, never
 * by where the process was started; only a hash of it and its last part leave this machine's memory of it.
 */
export class Namespaces {
  private readonly mode: string
  private readonly findHeader: FindHeader
  private readonly known = new WeakMap<Session, Promise<Namespace>>()

  constructor(mode: string, findHeader: FindHeader) {
    this.mode = mode
    this.findHeader = findHeader
  }

  of(session: Session | undefined): Promise<Namespace> {
    if (this.mode !== 'project' && this.mode !== 'session') return Promise.resolve(namedNamespace(this.mode))
    if (session === undefined) return Promise.resolve(NO_SESSION)
    const known = this.known.get(session)
    if (known !== undefined) return known
    const found = this.find(session.header)
    this.known.set(session, found)
    // A failure may pass; the next question tries again.
    found.catch(() => this.known.delete(session))
    return found
  }

  private async find(header: SessionHeader): Promise<Namespace> {
    if (this.mode === 'project' && header.cwd !== undefined) return ofProject(header.cwd)
    return sessionNamespace(await this.root(header))
  }

  /** The session that a chain of forks began with. */
  private async root(header: SessionHeader): Promise<string> {
    let current = header
    for (let forks = 0; forks < MAX_FORKS && current.parentSession !== undefined; forks++) {
      const parent = await this.findHeader(current.parentSession)
      if (parent === undefined) return current.parentSession
      current = parent
    }
    return current.id
  }
}

async function ofProject(cwd: string): Promise<Namespace> {
  try {
    return projectNamespace(await realpath(cwd))
  } catch (error) {
    // A workspace that is gone keeps the memory of its name; any other failure may pass.
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return projectNamespace(cwd)
    throw error
  }
}
