/** A headless Chromium spoken to over the DevTools protocol: enough to look at a page as a person would. */
import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { tempDir } from '../test/support/temp.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']

/** The Chromium of this machine: what `DSH_E2E_CHROMIUM` names, or the first one on PATH. */
export function findChromium(): string | undefined {
  const named = process.env.DSH_E2E_CHROMIUM
  if (named !== undefined && named !== '') return named
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.flatMap(folder => NAMES.map(name => join(folder, name))).find(canRun)
}

export class Page {
  /** Errors, warnings and exceptions that the page told its console of. */
  readonly complaints: string[] = []
  private readonly chromium: ChildProcess
  private readonly socket: WebSocket
  private readonly waiting = new Map<number, (answer: Answer) => void>()
  private sent = 0

  private constructor(chromium: ChildProcess, socket: WebSocket) {
    this.chromium = chromium
    this.socket = socket
    socket.addEventListener('message', ({ data }) => this.receive(JSON.parse(String(data)) as Answer))
  }

  /** Starts a browser of its own and opens an address in it. */
  static async open(program: string, address: string): Promise<Page> {
    const profile = tempDir('chromium-')
    const chromium = spawn(
      program,
      [
        '--headless=new',
        '--disable-gpu',
        '--no-first-run',
        '--remote-debugging-port=0',
        `--user-data-dir=${profile}`,
        '--window-size=1400,1000',
        // Chromium's own sandbox does not start as root, as in a container.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        'about:blank',
      ],
      { stdio: 'ignore' },
    )
    try {
      const port = await portOf(join(profile, 'DevToolsActivePort'))
      const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as Target[]
      const target = targets.find(({ type }) => type === 'page')
      if (target === undefined) throw new Error('Chromium has no page')
      const socket = new WebSocket(target.webSocketDebuggerUrl)
      await new Promise((resolve, reject) => {
        socket.addEventListener('open', resolve, { once: true })
        socket.addEventListener('error', () => reject(new Error('Chromium cannot be spoken to')), { once: true })
      })
      const page = new Page(chromium, socket)
      for (const domain of ['Page', 'Runtime', 'Log']) await page.send(`${domain}.enable`)
      await page.send('Page.navigate', { url: address })
      return page
    } catch (error) {
      chromium.kill()
      throw error
    }
  }

  /** The value of an expression in the page. */
  async value<T>(expression: string): Promise<T> {
    const answer = await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    const { result, exceptionDetails } = answer.result as { result: { value: T }; exceptionDetails?: unknown }
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`)
    return result.value
  }

  /** What can be read on the page. */
  text(): Promise<string> {
    return this.value('document.body.innerText')
  }

  /** Waits until an expression holds; says whether it did. */
  async until(expression: string, milliseconds = 15_000): Promise<boolean> {
    for (const end = Date.now() + milliseconds; Date.now() < end; await pause(100)) {
      if (await this.value<boolean>(`Boolean(${expression})`)) return true
    }
    return false
  }

  /** Waits for a text to be readable. */
  shows(text: string): Promise<boolean> {
    return this.until(`document.body.innerText.includes(${JSON.stringify(text)})`)
  }

  /** Clicks the last element of a selector that holds a text, once there is one. */
  async click(selector: string, text: string): Promise<boolean> {
    const found = `[...document.querySelectorAll(${JSON.stringify(selector)})].filter(element =>
      (element.innerText + (element.ariaLabel ?? '')).includes(${JSON.stringify(text)})).at(-1)`
    if (!(await this.until(found))) return false
    await this.value(`${found}.click()`)
    return true
  }

  /** Types into the page's text area, and presses Enter. */
  async say(text: string): Promise<void> {
    await this.until("document.querySelector('textarea:not([disabled])')")
    await this.value("document.querySelector('textarea').focus()")
    await this.send('Input.insertText', { text })
    await pause(300)
    for (const type of ['keyDown', 'keyUp']) {
      await this.send('Input.dispatchKeyEvent', {
        type,
        key: 'Enter',
        code: 'Enter',
        windowsVirtualKeyCode: 13,
        text: '\r',
      })
    }
  }

  async screenshot(file: string): Promise<void> {
    const { result } = await this.send('Page.captureScreenshot', { format: 'png' })
    writeFileSync(file, Buffer.from(String(result.data), 'base64'))
  }

  async close(): Promise<void> {
    this.socket.close()
    const gone = new Promise(resolve => this.chromium.once('close', resolve))
    this.chromium.kill()
    await gone
  }

  private send(method: string, params: object = {}): Promise<Answer> {
    const id = ++this.sent
    return new Promise(resolve => {
      this.waiting.set(id, resolve)
      this.socket.send(JSON.stringify({ id, method, params }))
    })
  }

  private receive(answer: Answer): void {
    if (answer.id !== undefined) {
      this.waiting.get(answer.id)?.(answer)
      this.waiting.delete(answer.id)
    }
    const { method, params } = answer
    const complains =
      method === 'Runtime.exceptionThrown' ||
      (method === 'Runtime.consoleAPICalled' && ['error', 'warning'].includes(String(params?.type))) ||
      (method === 'Log.entryAdded' &&
        ['error', 'warning'].includes(String((params?.entry as { level?: string })?.level)))
    if (complains) this.complaints.push(JSON.stringify(params).slice(0, 500))
  }
}

interface Target {
  readonly type: string
  readonly webSocketDebuggerUrl: string
}

interface Answer {
  readonly id?: number
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result: Readonly<Record<string, unknown>>
}

/** The port that Chromium writes into its profile when it listens. */
async function portOf(file: string): Promise<number> {
  for (let tries = 0; tries < 300; tries++) {
    if (existsSync(file)) {
      const port = Number(readFileSync(file, 'utf8').split('\n')[0])
      if (port > 0) return port
    }
    await pause(100)
  }
  throw new Error('Chromium did not start')
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
