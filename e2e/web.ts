/** The real web UI in the machine's Chromium: how memory looks to a person. Skipped, and said so, without a Chromium. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startModelServer } from '../test/support/model-server.ts'
import { findChromium, Page } from './browser.ts'
import type { Checks } from './checks.ts'
import { makeHome, makeWorkspace, plugin, runTask, startWeb, webPlugin } from './dsh.ts'
import { settings } from './talk.ts'

const SCREENSHOTS = fileURLToPath(new URL('./screenshots', import.meta.url))
const FACT = 'The staging database of project Kestrel listens on port 6543.'
const QUESTION = 'Which port does the Kestrel database on staging listen on?'
const INJECTED = 'Context injection\ndsh-hologram'
/** What the web UI says of a history that it cannot show. */
const WARNING = /unavailable|could not|failed to|cannot be|corrupt|unsupported|error/i

export async function web(checks: Checks, tarball: string): Promise<void> {
  const chromium = findChromium()
  if (chromium === undefined) {
    checks.skip('the web UI', 'no Chromium on PATH, and DSH_E2E_CHROMIUM names none')
    return
  }
  const model = await startModelServer()
  const [home, cwd] = [makeHome(), makeWorkspace()]
  const at = { home, cwd, model: model.baseURL, patches: [settings()] }
  try {
    // Two sessions that the web UI finds when it starts: one with a commit, one with a recall.
    await plugin(home, 'add', tarball)
    model.push({ toolCalls: [{ name: 'stablemem_commit', arguments: { text: FACT } }] }, { text: 'It is noted.' })
    await runTask({ ...at, task: 'Remember how to reach it.' })
    model.push({ text: 'On 6543, I recall.' })
    await runTask({ ...at, task: QUESTION })
    const added = await webPlugin(home, 'add', tarball)
    checks.check('dsh plugin --profile web add', added.code === 0, added)
    const running = await startWeb(at)
    try {
      const page = await Page.open(chromium, running.address)
      try {
        await lookAround(checks, page)
        checks.check('the page has nothing to complain of', page.complaints.length === 0, page.complaints)
        checks.check('neither has the server', running.out.stderr === '', running.out.stderr)
      } finally {
        await page.close()
      }
    } finally {
      await running.stop()
    }
  } finally {
    await model.close()
  }
}

async function lookAround(checks: Checks, page: Page): Promise<void> {
  const check = checks.check.bind(checks)
  mkdirSync(SCREENSHOTS, { recursive: true })
  const shoot = (name: string) => page.screenshot(join(SCREENSHOTS, `${name}.png`))
  check('the page opens', await page.click('button', 'Continue'))

  // History, written by another process.
  const stored =
    "[...document.querySelectorAll('[role=treeitem]')].filter(row => /\\n(?:now|\\d+ ?m)/.test(row.innerText))"
  check('both sessions are listed', await page.until(`${stored}.length === 2`), await page.text())
  await page.value(`${stored}[0].click()`)
  check('the session with a recall is shown to its end', await page.shows('On 6543, I recall.'), await page.text())
  check('with the recall as a row of its own, under our name', await page.shows(INJECTED), await page.text())
  check('and without a warning', !WARNING.test(await page.text()), await page.text())
  await page.value(`${stored}[1].click()`)
  check('the session with a commit is shown to its end', await page.shows('It is noted.'), await page.text())
  const card = await page.text()
  check(
    'with the commit as a card that says what was remembered',
    /stablemem_commit.*The staging database/.test(card),
    card,
  )
  check('and without a warning', !WARNING.test(card), card)
  await page.click('[role=button]', 'stablemem_commit')
  check('the card opens', await page.shows('blk_'), await page.text())
  await shoot('commit')

  // A new session, as a human has it.
  await page.click('button', 'New Session')
  await page.say(QUESTION)
  check('a question in the web UI recalls', await page.shows(INJECTED), await page.text())
  await page.click('[role=button]', 'dsh-hologram')
  check('the row opens, and the note can be read', await page.until(noteShown()), await page.text())
  await shoot('recall')

  await page.say('/memory search Kestrel port')
  check('/memory search answers in the composer', await page.until(answered()), await page.text())
  await shoot('memory-search')
}

function noteShown(): string {
  return `document.body.innerText.includes('<note id="blk_') && document.body.innerText.includes(${JSON.stringify(FACT)})`
}

/** The answer of the command under its name: the note by its id. */
function answered(): string {
  return `/\\nmemory\\nblk_[0-9a-f]{24}[^\\n]* The staging database/.test(document.body.innerText)`
}
