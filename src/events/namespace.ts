import { shortHash } from './canonical.ts'
import { leading } from './cut.ts'
import type { Namespace } from './envelope.ts'

/** Longest label, in characters. */
const MAX_LABEL = 200

/** The namespace of a workspace, by its real path. Only a hash of the path, and its last part, are in it. */
export function projectNamespace(path: string): Namespace {
  const last = path.split(/[/\\]/).findLast(part => part !== '')
  return make('project', path, last ?? 'root')
}

/** The namespace of a session and its forks, by the id of the one they began with. */
export function sessionNamespace(root: string): Namespace {
  return make('session', root, `session ${root.slice(0, 40)}`)
}

/** A namespace shared by all who name it. */
export function namedNamespace(name: string): Namespace {
  return make('name', name, name)
}

function make(kind: string, value: string, label: string): Namespace {
  return { id: `ns_${shortHash(`${kind}:${value}`)}`, label: leading(label.toWellFormed(), MAX_LABEL) }
}
