/** Stands in for the package that runs local models. A text may say what is to go wrong with it. */

const DIMENSION = 3

export const env: Record<string, unknown> = {}

interface Asked {
  readonly pooling: string
  readonly normalize: boolean
}

export async function pipeline(task: string, name: string, options: Record<string, unknown>) {
  if (name === 'broken') throw new Error('no such operator: Frobnicate')
  if (name === 'slow-to-load') await new Promise(resolve => setTimeout(resolve, 300))
  if (name === 'never-loads') await new Promise(resolve => setTimeout(resolve, 1e6))
  console.log('what the package prints', task, options)
  return async (texts: readonly string[], { pooling, normalize }: Asked) => {
    const rows: number[][] = []
    for (const text of texts) {
      if (text.endsWith('!busy')) spin(400)
      if (text.endsWith('!forever')) spin(1e9)
      if (text.endsWith('!throw')) throw new Error('the runtime failed')
      if (text.endsWith('!die')) process.exit(7)
      if (text.endsWith('!later')) setTimeout(() => Promise.reject(new Error('nobody waits for this')), 20)
      if (text.endsWith('!nan')) rows.push([Number.NaN, 0, 0])
      else if (text.endsWith('!zero')) rows.push([0, 0, 0])
      else if (text.endsWith('!settings')) {
        rows.push([pooling === 'cls' ? 2 : 1, normalize ? 1 : 0, isLocal(options) ? 1 : 0])
      } else rows.push([text.length, texts.length, text.startsWith('query: ') ? 1 : 0.5])
    }
    const missing = texts.some(text => text.endsWith('!shape'))
    return {
      data: new Float32Array(rows.flat()),
      dims: missing ? [texts.length, 1, DIMENSION] : [texts.length, DIMENSION],
    }
  }
}

function isLocal(options: Record<string, unknown>): boolean {
  return options.local_files_only === true && env.allowRemoteModels === false && env.allowLocalModels === true
}

/** Keeps the thread busy, as a model does. */
function spin(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}
