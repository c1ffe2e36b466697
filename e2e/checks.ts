/** One line per check, and a last line that a person or a script can read. */
export class Checks {
  passed = 0
  failed = 0
  skipped = 0

  /** Record one check; `detail` is shown only when it failed. */
  check(what: string, ok: boolean, detail: unknown = undefined): void {
    if (ok) this.passed += 1
    else this.failed += 1
    console.log(`${ok ? 'ok  ' : 'FAIL'} ${what}`)
    if (!ok && detail !== undefined) console.log(indent(typeof detail === 'string' ? detail : JSON.stringify(detail)))
  }

  /** Say what could not be tried on this machine, and why. It counts for nothing. */
  skip(what: string, why: string): void {
    this.skipped += 1
    console.log(`SKIP ${what}: ${why}`)
  }

  /** Print the verdict and set the exit code. */
  finish(): void {
    const skipped = this.skipped === 0 ? '' : `, ${this.skipped} skipped`
    console.log(`${this.passed} passed, ${this.failed} failed${skipped}`)
    if (this.failed > 0) process.exitCode = 1
  }
}

function indent(text: string): string {
  return text
    .slice(0, 4000)
    .split('\n')
    .map(line => `       ${line}`)
    .join('\n')
}
