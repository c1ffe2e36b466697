/** What was only said in one run is before the model in a later one, with its time, and so after the database is gone. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { readStoredEvents, stockOpen } from '../test/support/logs.ts'
import { startModelServer } from '../test/support/model-server.ts'
import type { Checks } from './checks.ts'
import { makeHome, makeWorkspace, plugin, runTask, sessionsRoot } from './dsh.ts'
import { recalledIn } from './talk.ts'

const SAID =
  'For your information: the rollout window of Heron is Tuesdays 14:00 to 15:30, and Mira has to be on call for it.'
const ASKED = 'When is the rollout window of Heron, and who has to be on call?'
const ASKED_IN_CHINESE = 'Heron 的 rollout window 是什么时候？'
/** The time that a page is headed with. */
const TIME = /\[\d{4}-\d\d-\d\d \d\d:\d\d UTC, session \S+, turn \d+, page 1 of 1\]/

export async function cold(checks: Checks, tarball: string): Promise<void> {
  const check = checks.check.bind(checks)
  const model = await startModelServer()
  try {
    const home = makeHome()
    const cwd = makeWorkspace()
    const added = await plugin(home, 'add', tarball)
    check('dsh plugin add', added.code === 0, added)
    const run = async (task: string, answer: string, where = cwd) => {
      const from = model.requests.length
      model.push({ text: answer })
      const ran = await runTask({ home, cwd: where, model: model.baseURL, task })
      check(`exit 0, silent stderr: "${task.slice(0, 40)}…"`, ran.code === 0 && ran.stderr === '', ran)
      const request = model.requests[from]
      return { ran, recalled: request === undefined ? '' : recalledIn(request).join('\n') }
    }
    const shows = (text: string) => text.includes('Tuesdays 14:00 to 15:30') && TIME.test(text)

    const first = await run(SAID, 'Understood.')
    const second = await run('What is the capital of France?', 'Paris.')
    check('another question is not told of it', second.recalled === '', second.recalled)
    const third = await run(ASKED, 'Tuesdays at two, with Mira.')
    check('the third run is shown what the first one said, with its time', shows(third.recalled), third.recalled)
    const elsewhere = await run(ASKED, 'I do not know.', makeWorkspace())
    check('another workspace is not', !elsewhere.recalled.includes('Tuesdays'), elsewhere.recalled)

    for (const suffix of ['', '-wal', '-shm']) rmSync(join(home, 'hologram', `memory.db${suffix}`), { force: true })
    // Session logs are read in the background: a run may ask before that is done, the next one finds it done.
    await run('What is the capital of Spain?', 'Madrid.')
    const chinese = await run(ASKED_IN_CHINESE, '周二下午两点。')
    check('without the database it comes from the logs again', shows(chinese.recalled), chinese.recalled)

    const id = first.ran.sessions[0] ?? ''
    const archived = (await readStoredEvents(sessionsRoot(home), id)).filter(({ type }) => type.endsWith('/archive'))
    check(
      'its session holds one event of it, marked',
      archived.length === 1 && archived[0]?.ignorable === true,
      archived,
    )
    const opening = await stockOpen(sessionsRoot(home), 'zstd', id)
    check('and a stock host opens it', opening.ok, opening)
  } finally {
    await model.close()
  }
}
