/** `npm run check`: the checkpoints, one line of evidence each, on the real host. */
import { containment } from './checks/containment.ts'
import type { Found } from './checks/desk.ts'
import { injection, injectionSilenced, promptContext, queryOfBatch } from './checks/step.ts'
import { tiers } from './checks/tiers.ts'
import { toolsEndToEnd } from './checks/tools.ts'
import { unload } from './checks/unload.ts'
import { concurrentWrites } from './checks/writes.ts'

const CHECKPOINTS: ReadonlyArray<readonly [name: string, what: string, run: () => Promise<Found>]> = [
  ['V1', '100 concurrent writes round-trip', concurrentWrites],
  ['V2', 'recall by tier', tiers],
  ['V3', "the prompt context sees the agent and not this step's messages", promptContext],
  ['V3b', 'injection lands in the accepted batch under our source', () => injection()],
  ['V3b†', 'silencing recall turns V3b red', injectionSilenced],
  ['V3c', 'a batch of question, runtime context and skill catalogue recalls', queryOfBatch],
  ['V4', 'tool schema and render end to end', toolsEndToEnd],
  ['V5', 'unload releases worker, handles and files', unload],
  ['A5†', 'containment instead of the index loses discrimination', containment],
]

/** A checkpoint takes seconds; one that takes this long, in milliseconds, hangs. */
const TOO_LONG_MS = 120_000

let failed = 0
for (const [name, what, run] of CHECKPOINTS) {
  const { ok, evidence } = await inTime(run()).catch((error: unknown) => ({
    ok: false,
    evidence: `it broke off: ${error instanceof Error ? error.message : String(error)}`,
  }))
  if (!ok) failed += 1
  console.log(`${(ok ? 'ok' : 'FAIL').padEnd(4)} ${name.padEnd(4)} ${what}: ${evidence}`)
}
console.log(`${CHECKPOINTS.length - failed} passed, ${failed} failed`)
// What a failed checkpoint left running must not keep the process.
process.exit(failed === 0 ? 0 : 1)

function inTime(found: Promise<Found>): Promise<Found> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('it did not end in time')), TOO_LONG_MS)
    found.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
