import { leading } from '../../events/index.ts'

/** What is worth looking for in code, logs and stack traces: error ids, file names, names of things, and what failed. */

/** Most names of one kind that are taken. */
const EACH = 12
const LONGEST_NAME = 120
const HEADLINES = 3
const LONGEST_HEADLINE = 160

const TOKEN = /[\w$@./\\:+-]+/g
const EDGES = /^[\\:+@$-]+|[./\\:+@$-]+$/g
const FILE =
  /^(.*\.(?:tsx?|jsx?|mjs|cjs|py|rb|go|rs|java|kt|scala|cc?|cpp|hh?|hpp|cs|php|swift|sh|ps1|sql|jsonl?|ya?ml|toml|ini|cfg|conf|env|xml|html|css|scss|vue|svelte|md|txt|log|csv|lock|gradle|tf|proto))(?::\d+){0,2}$/i
const ERROR =
  /^(?!(?:ERROR|TRACE|DEBUG|FATAL|NOTICE|WARNING|SEVERE|CRITICAL)$)(?:[A-Z][A-Z0-9]*(?:[_-][A-Z0-9]+)+|E[A-Z]{4,}|[A-Z]{1,8}\d{3,}|[\w$.]*[a-z](?:Error|Exception|Failure|Fault|Panic))$/
const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?$/
/** Times, counters, addresses in memory, hashes: different in every run, so nobody has them in mind. */
const VOLATILE = /^(?:[\d.:/+-]+|\d{4}-\d\d-\d\d.*|0x[0-9a-f]+|(?=.*\d)[0-9a-f]{8,}|[0-9a-f]{8}-[0-9a-f-]{20,})$/i
const IDENTIFIER = /^(?=.*[a-z])(?:.*[\w$][._:/@-]+[\w$].*|[a-z]*(?:[a-z]*\d){3,}\w*)$/i
const FAILED = /error|exception|fail|panic|fatal|refused|denied|timed? ?out|错误|异常|失败|超时|拒绝|崩溃|报错/i
/** Frames of what others wrote. */
const VENDOR = /node_modules|node:internal|site-packages|dist-packages|java\.base\/|\/usr\/lib|\.cargo\/registry/

/** The names in these lines, what tells most first, each once. */
export function namesIn(lines: readonly string[]): string[] {
  const found = { error: new Set<string>(), file: new Set<string>(), other: new Set<string>() }
  const own = lines.filter(line => !VENDOR.test(line))
  for (const line of [...own, ...lines.filter(line => VENDOR.test(line))]) {
    for (const [raw] of line.matchAll(TOKEN)) {
      const token = raw.length > LONGEST_NAME ? '' : raw.replace(EDGES, '')
      if (token.length < 3 || (VOLATILE.test(token) && !ADDRESS.test(token))) continue
      const file = FILE.exec(token)?.[1]
      if (file !== undefined) {
        if (found.file.size >= EACH) continue
        found.file.add(file.split(/[/\\]/).at(-1) ?? file).add(file)
      } else if (ERROR.test(token)) {
        if (found.error.size < EACH) found.error.add(token)
      } else if (found.other.size < EACH && (ADDRESS.test(token) || IDENTIFIER.test(token))) {
        if (!VENDOR.test(line)) found.other.add(token)
      }
    }
  }
  return [...found.error, ...found.file, ...found.other]
}

/** The first lines that say what went wrong, without times and counters, each once. */
export function headlinesIn(lines: readonly string[]): string[] {
  const found = new Set<string>()
  for (const line of lines) {
    if (found.size === HEADLINES) break
    const head = line.slice(0, 400)
    if (!FAILED.test(head) || VENDOR.test(head)) continue
    const words = head
      .split(/\s+/)
      .filter(word => !VOLATILE.test(word.replace(/^\W+|\W+$/g, '')))
      .join(' ')
    if (words !== '') found.add(leading(words, LONGEST_HEADLINE).toWellFormed())
  }
  return [...found]
}
