import { realpathSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { type Namespace, namedNamespace, projectNamespace } from '../events/index.ts'
import { type Options, UsageError } from './options.ts'

/** The folder in a project in which the earlier port kept its database. */
const LEGACY_FOLDER = '.dsh-memory'

/** The namespace an old database goes to: the one named, that of the project given, or that of the project it lies in. */
export function importNamespace(
  path: string,
  { namespaces, project }: Pick<Options, 'namespaces' | 'project'>,
): Namespace {
  const [name, ...more] = namespaces
  if (more.length > 0 || (name !== undefined && project !== undefined)) {
    throw new UsageError('an old database goes to one namespace: give one --namespace, or one --project')
  }
  if (name !== undefined) return named(name)
  if (project !== undefined) return ofProject(project)
  const folder = dirname(resolve(path))
  if (basename(folder) === LEGACY_FOLDER) return ofProject(dirname(folder))
  throw new UsageError(
    `${path} does not lie in the ${LEGACY_FOLDER} of a project; say where its memories belong, ` +
      'with --project DIR or, where the plugin is set to a name, --namespace NAME',
  )
}

function named(name: string): Namespace {
  if (/^ns_[0-9a-f]{24}$/.test(name) || ['', 'project', 'session'].includes(name)) {
    throw new UsageError(`--namespace takes a name as it is in the plugin's settings, not "${name}"`)
  }
  return namedNamespace(name)
}

function ofProject(folder: string): Namespace {
  try {
    return projectNamespace(realpathSync(folder))
  } catch {
    throw new UsageError(`there is no folder ${folder}; --project takes the workspace of the sessions`)
  }
}

/** The namespace that a question is about, where one was named; undefined for all of them. */
export function askedNamespace({
  namespaces,
  project,
}: Pick<Options, 'namespaces' | 'project'>): Namespace | undefined {
  const [name, ...more] = namespaces
  if (more.length > 0 || (name !== undefined && project !== undefined)) {
    throw new UsageError('give one --namespace, or one --project')
  }
  if (project !== undefined) return ofProject(project)
  if (name === undefined) return undefined
  return /^ns_[0-9a-f]{24}$/.test(name) ? { id: name, label: '' } : named(name)
}
