/**
 * The end-to-end test: the packed plugin in the real `dsh` binary, one process per task, with a scripted model.
 * `node e2e/run.ts [tarball]`; without a tarball it packs this project.
 */
import { readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readStoredEvents, stockOpen } from '../test/support/logs.ts'
import { type ModelRequest, type ModelServer, startModelServer, textsOf } from '../test/support/model-server.ts'
import { Checks } from './checks.ts'
import { cold } from './cold.ts'
import {
  bundles,
  installDsh,
  makeHome,
  makeWorkspace,
  packProject,
  plugin,
  runTask,
  sessionsRoot,
  type TaskRan,
} from './dsh.ts'
import { economy } from './economy.ts'
import { hostile } from './hostile.ts'
import { settings } from './talk.ts'
import { web } from './web.ts'

const PACKAGE = 'dsh-hologram'
const COMMIT = 'stablemem_commit'
const RECALL = 'stablemem_recall'
const FACT = 'The staging database of project Kestrel listens on port 6543 and only accepts TLS connections.'
const QUESTION = 'I need to connect to the Kestrel database on staging. Which port was that again?'

const STORIES = { economy }

const checks = new Checks()
try {
  await installDsh()
  const given = process.argv[2]
  const tarball = given === undefined ? await packProject() : resolve(given)
  for (const [name, story] of Object.entries(STORIES)) {
    console.log(`\n${name}`)
    await story(checks, tarball)
  }
} catch (error) {
  checks.check('the run did not break off', false, error instanceof Error ? error.stack : error)
}
checks.finish()

async function basics(checks: Checks, tarball: string): Promise<void> {
  const model = await startModelServer()
  try {
    await fromCommitToRemoval(checks, tarball, model)
  } finally {
    await model.close()
  }
}

async function fromCommitToRemoval(checks: Checks, tarball: string, model: ModelServer): Promise<void> {
  const check = checks.check.bind(checks)
  const home = makeHome()
  const cwd = makeWorkspace()
  const root = sessionsRoot(home)
  const sessions: string[] = []
  const ask = async (task: string, where = cwd): Promise<TaskRan> => {
    const patches = bundles(home).includes(PACKAGE) ? [settings()] : []
    const ran = await runTask({ home, cwd: where, model: model.baseURL, task, patches })
    check(`  exit 0, silent stderr: "${task.slice(0, 40)}…"`, ran.code === 0 && ran.stderr === '', ran)
    check('  it left one session', ran.sessions.length === 1, ran.sessions)
    sessions.push(...ran.sessions)
    return ran
  }

  const added = await plugin(home, 'add', tarball)
  check('dsh plugin add', added.code === 0, added)
  check('the profile lists the plugin', bundles(home).includes(PACKAGE), bundles(home))

  // run 1: the model commits something to memory
  model.push({ toolCalls: [{ name: COMMIT, arguments: { text: FACT } }] }, { text: 'Noted.' })
  const first = await ask('Remember how to reach the staging database.')
  check('the model was offered the tools', offered(model.requests[0], COMMIT, RECALL), toolNames(model.requests[0]))
  const committed = toolAnswer(model.last())
  check('the commit succeeded', committed !== '' && !committed.startsWith('Error'), committed)
  check('the answer is printed', first.stdout.trim() === 'Noted.', first.stdout)

  // run 2: another session in the same workspace, asked in other words
  model.push(
    { toolCalls: [{ name: RECALL, arguments: { query: 'Kestrel staging database port' } }] },
    { text: 'Port 6543.' },
  )
  let from = model.requests.length
  await ask(QUESTION)
  const asked = model.requests[from]
  check('recall reached the model in a user-role message', inUserRole(asked, FACT), asked?.messages)
  check('and not in the system prompt', asked !== undefined && !inRole(asked, 'system', '6543'))
  check('the recall tool finds it too', toolAnswer(model.last()).includes('6543'), toolAnswer(model.last()))
  check('it was injected once', count(model.last(), FACT, 'user') === 1, model.last().messages)

  // another workspace must not see it
  from = model.requests.length
  await ask(QUESTION, makeWorkspace())
  check('another workspace does not see it', !mentions(model.requests[from], '6543'), model.requests[from]?.messages)

  // the database is derived: without it, memory comes back from the logs
  const removed = dropDatabase(home)
  check('there was a database to delete', removed > 0)
  from = model.requests.length
  await ask(QUESTION)
  check('recall works after the database was deleted', inUserRole(model.requests[from], FACT), model.requests[from])

  const gone = await plugin(home, 'remove', PACKAGE)
  check('dsh plugin remove', gone.code === 0, gone)
  check('the profile no longer lists it', !bundles(home).includes(PACKAGE), bundles(home))

  from = model.requests.length
  await ask(QUESTION)
  check('the host runs without it', !offered(model.requests[from], COMMIT) && !mentions(model.requests[from], '6543'))

  for (const [index, id] of sessions.entries()) {
    const opening = await stockOpen(root, 'zstd', id)
    check(`a stock host opens session ${index + 1}`, opening.ok, opening)
  }
  const stored = await readStoredEvents(root, sessions[0] ?? '')
  const ours = stored.filter(event => /^(plugin:)?(dsh-)?hologram\//.test(event.type))
  check(
    'the commit is in the log of session 1',
    ours.some(event => event.type.endsWith('hologram/commit')),
  )
  check(
    'every event of ours is marked ignorable',
    ours.every(event => event.ignorable === true),
    ours,
  )
}

function toolNames(request: ModelRequest | undefined): string[] {
  return (request?.tools ?? []).map(tool => tool.function.name)
}

function offered(request: ModelRequest | undefined, ...names: string[]): boolean {
  return names.every(name => toolNames(request).includes(name))
}

/** The newest tool result the model was shown. */
function toolAnswer(request: ModelRequest): string {
  return textsOf(request, 'tool').at(-1) ?? ''
}

function inRole(request: ModelRequest, role: 'system' | 'user', text: string): boolean {
  return textsOf(request, role).some(content => content.includes(text))
}

function inUserRole(request: ModelRequest | undefined, text: string): boolean {
  return request !== undefined && inRole(request, 'user', text)
}

function mentions(request: ModelRequest | undefined, text: string): boolean {
  return request !== undefined && JSON.stringify(request.messages).includes(text)
}

function count(request: ModelRequest, text: string, role: 'user'): number {
  return textsOf(request, role).filter(content => content.includes(text)).length
}

/** Delete database, wal and shm; returns how many files went. */
function dropDatabase(home: string): number {
  const dir = join(home, 'hologram')
  const files = readdirSync(dir).filter(file => file.startsWith('memory.db'))
  for (const file of files) rmSync(join(dir, file))
  return files.length
}
