/**
 * Which message sources do the installed host packages declare? `MessageSourceMap` is open: any package may merge members
 * into it, and a member's name need not be its `kind` (`user-rpc` is `kind: 'user'`). Our rule "a human's words are
 * `kind === 'user'`, everything else is not" is tested against this list, so that a host upgrade that adds a source
 * shows up. Declarations are read as text: the TypeScript of this project has no compiler API to ask.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface SourceMember {
  /** Key in MessageSourceMap. */
  readonly member: string
  /** The literal a message of this source carries; a union yields one entry each. */
  readonly kind: string
  /** For example `@deepseek-ai/dsh-llm`. */
  readonly package: string
  /** Declaring file, relative to the package. */
  readonly file: string
}

const HOST_PACKAGES = fileURLToPath(new URL('../../node_modules/@deepseek-ai', import.meta.url))
const MAP = /\binterface\s+MessageSourceMap\s*\{/g

/** Every declared member of every `MessageSourceMap` block. Throws on a member whose kind it cannot resolve. */
export function scanSourceKinds(root: string = HOST_PACKAGES): SourceMember[] {
  return readdirSync(root)
    .flatMap(name => scanPackage(join(root, name), `@deepseek-ai/${name}`))
    .sort((a, b) => a.member.localeCompare(b.member) || a.kind.localeCompare(b.kind))
}

function scanPackage(dir: string, name: string): SourceMember[] {
  const files = new Map<string, string>()
  for (const file of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.d.ts') && !file.includes('node_modules')) files.set(file, readFileSync(join(dir, file), 'utf8'))
  }
  const found: SourceMember[] = []
  for (const [file, raw] of files) {
    if (!raw.includes('interface MessageSourceMap')) continue
    const text = withoutComments(raw)
    for (const match of text.matchAll(MAP)) {
      for (const [member, type] of membersOf(blockAt(text, match.index + match[0].length - 1))) {
        // the declaring file first: two files of a package may each have a local type of the same name
        const kinds = kindsOf(type, [text, ...[...files.values()].map(withoutComments)])
        if (kinds.length === 0) throw new Error(`${name}/${file}: no kind found for source "${member}: ${type}"`)
        for (const kind of kinds) found.push({ member, kind, package: name, file })
      }
    }
  }
  return found
}

/** `kind` literals of a type: an inline object, a named interface or alias, or an intersection or union of these. */
function kindsOf(type: string, texts: readonly string[], depth = 0): string[] {
  if (depth > 4) return []
  const own = /(?:^|[{;\s])(?:readonly\s+)?kind\s*:\s*((?:\s*\|?\s*'[^']+')+)/.exec(type)
  if (own?.[1] !== undefined) return [...own[1].matchAll(/'([^']+)'/g)].map(literal => literal[1] ?? '')
  for (const name of type.match(/\b[A-Z]\w*/g) ?? []) {
    for (const text of texts) {
      const declared = new RegExp(`\\b(?:interface\\s+${name}\\b[^{]*|type\\s+${name}\\b[^=]*=\\s*)`).exec(text)
      if (declared === null) continue
      const from = declared.index + declared[0].length
      const body = text[from] === '{' ? blockAt(text, from) : text.slice(from, text.indexOf(';', from))
      // the head is searched too, for the kind of what an interface extends
      const kinds = kindsOf(body, texts, depth + 1)
      if (kinds.length > 0) return kinds
      const inherited = kindsOf(declared[0].split('extends')[1] ?? '', texts, depth + 1)
      if (inherited.length > 0) return inherited
    }
  }
  return []
}

/** `[name, type]` of the members of an interface body. */
function membersOf(body: string): [string, string][] {
  const members: [string, string][] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < body.length; at += 1) {
    const char = body[at]
    if (char === '{' || char === '(' || char === '<') depth += 1
    else if (char === '}' || char === ')' || char === '>') depth -= 1
    else if (char === ';' && depth === 0) {
      const member = /^\s*(?:readonly\s+)?(?:'([^']+)'|(\w+))\??\s*:\s*([\s\S]+)$/.exec(body.slice(start, at))
      const name = member?.[1] ?? member?.[2]
      if (name !== undefined && member?.[3] !== undefined) members.push([name, member[3].trim()])
      start = at + 1
    }
  }
  return members
}

/** The text between the brace at `open` and its partner. */
function blockAt(text: string, open: number): string {
  let depth = 0
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1
    else if (text[at] === '}') {
      depth -= 1
      if (depth === 0) return text.slice(open + 1, at)
    }
  }
  throw new Error('unbalanced braces in a type declaration')
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}
