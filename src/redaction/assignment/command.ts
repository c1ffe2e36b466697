import type { Rule, Span } from '../rule.ts'
import { secretIn } from './found.ts'
import { classOf } from './key.ts'
import { Values } from './value.ts'

/** Commands that take a password behind a short option. */
const COMMANDS: readonly RegExp[] = [
  /\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\b[^\n|;&]{0,200}?\s-p(?=[^\s-])/g,
  /\bsshpass\s{1,4}-p\s{0,4}(?=[^\s-])/g,
  /\bredis-cli\b[^\n|;&]{0,120}?\s-a\s{1,4}/g,
  /\b(?:docker|podman|oras|helm registry|az acr|az)\s{1,4}login\b[^\n|;&]{0,160}?\s-p\s{1,4}/g,
  /\b(?:curl|wget|http|xh)\b[^\n|;&]{0,200}?\s(?:-u|--user)[ =]{1,4}["']?[^\s:"']{1,80}:/g,
]
const PASSWORD = classOf('password')

/** `mysql -p…`, `curl -u user:…` and the like. */
export const commandRule: Rule = {
  kinds: [PASSWORD.kind],
  *find(text): Generator<Span> {
    if (!/ -[pau]|--user/.test(text)) return
    const values = new Values(text)
    for (const pattern of COMMANDS) {
      for (const { index, 0: whole } of text.matchAll(pattern)) {
        const value = values.at(index + whole.length)
        const span = secretIn(text, values, PASSWORD, { value, how: 'assigned', apart: false })
        if (span !== undefined) yield span
      }
    }
  },
}
