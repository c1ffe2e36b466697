/** What every act needs: the real host with the plugin in it, and a way to say what happens. */
import * as hologram from '../src/plugin/index.ts'
import { bootHost, type Host } from '../test/support/host.ts'
import { type ModelServer, startModelServer } from '../test/support/model-server.ts'

/** Where one run of the demo lives; every act gets the same two folders. */
export interface Stage {
  /** Stands for $DSH_HOME. */
  readonly home: string
  /** The project the agent works in. */
  readonly workspace: string
}

/** Reads the folders an act was given on its command line. */
export function stageOf(argv: readonly string[] = process.argv.slice(2)): Stage {
  const [home, workspace] = argv
  if (home === undefined || workspace === undefined) throw new Error('an act is started by demo/main.ts')
  return { home, workspace }
}

/** A question waits 400 ms for memory by default; here it is asked right after the start, perhaps on a busy machine. */
const PATIENT = { injection: { deadlineMs: 10_000 } }

/** Runs with a scripted model and the real host, with or without the plugin; both are gone afterwards. */
export async function withHost<T>(
  { home }: Stage,
  plugin: 'with plugin' | 'without plugin',
  run: (host: Host, model: ModelServer) => Promise<T>,
): Promise<T> {
  const model = await startModelServer()
  try {
    const host = await bootHost({ home, model: model.baseURL })
    try {
      if (plugin === 'with plugin') await host.mount(hologram, PATIENT)
      return await run(host, model)
    } catch (error) {
      // What the host and the plugin had to say about it.
      const logged = host.logs.filter(({ type }) => type === 'warn' || type === 'error').map(({ text }) => text)
      throw new Error([error instanceof Error ? error.message : String(error), ...logged].join('; '), { cause: error })
    } finally {
      await host.stop()
    }
  } finally {
    await model.close()
  }
}

/** Ends the act, with what was wrong, unless the condition holds. */
export function must(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise)
}

export function say(line = ''): void {
  console.log(line)
}

/** Lines that somebody in the story spoke, or that were read from a file or a request. */
export function quote(text: string): void {
  for (const line of text.split('\n')) say(`    | ${line}`)
}

/** Runs an act to its end; a failure is one line that says what failed, and exit code 1. */
export async function act(run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    console.log(`  FAILED: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
