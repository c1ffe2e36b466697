/** Where a command writes: results to the one, progress and remarks to the other. */
export interface Output {
  result(line: string): void
  remark(line: string): void
}

export const consoleOutput: Output = {
  result: line => void process.stdout.write(`${printable(line)}\n`),
  remark: line => void process.stderr.write(`${printable(line)}\n`),
}

// Whoever reads may stop early, as `head` does. What a command does besides must not break off.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** What was remembered must not steer the terminal. */
function printable(line: string): string {
  return line.replace(CONTROL, '\ufffd')
}

/** Reports a growing number, at most once a second. */
export function progress(output: Output, what: string): (count: number) => void {
  let last = performance.now()
  return count => {
    const now = performance.now()
    if (now - last < 1_000) return
    last = now
    output.remark(`${what}: ${count.toLocaleString('en')}`)
  }
}
