/** Roots of expressions that fetch a value from somewhere. */
const ROOTS =
  /^(?:process|import|os|env|ENV|environ|config|configs|conf|cfg|settings|args|argv|req|request|res|response|this|self|ctx|context|options|opts|params|props|secrets|vars|var|local|data|module|app|user|form|body|event|state|input|inputs|System|Environment|Deno|Bun|viper|std|vault|kv|z|yup|Joi|t|v|values|Values|github|steps|needs|inputs|session|auth|creds|credentials|row|record|item|payload|headers|client|store|model|schema|db|core|keyring|getpass|crypto|bcrypt|utils|lib)\b/

/** A chain of names: `a.b`, `a?.b`, `a::b`, `a->b`. */
const CHAIN = /^[A-Za-z_$@][\w$]*(?:(?:\?\.|\.|::|->)[A-Za-z_$][\w$]*)+!?$/
/** A call, a subscript or type arguments behind a name or a chain, to the end of the value or cut off by a quote. */
const APPLIED =
  /^(?:await|new|!|&|\*)?[A-Za-z_$@][\w$]*(?:(?:\?\.|\.|::|->)[A-Za-z_$][\w$]*)*!?(?:[([<](?:$|["'`])|\(.*[()]|\[.*\]|<.*>)/
/** A pattern as code spells it. */
const REGEXP = /^\/.*[\\^$[(|].*\/[dgimsuvy]*$/
/** Names of variables: words joined by case or underscore, the last of which is one for a secret. */
const NAMED = /^[A-Za-z_$][A-Za-z_$]*$/
const SECRET_TAIL =
  /(?:pass(?:word|wd|phrase)?|pwd|secret|token|key|credentials?|creds|auth|env|var|value|hash|str|input|field|param|ref)s?$/i

/** Whether a value without quotes is code that names a value kept elsewhere. */
export function isReference(raw: string): boolean {
  const value = raw.slice(0, 300).replace(/[,;)\]}.]+$/, '')
  const open = raw.slice(0, 300).replace(/[,;.]+$/, '')
  if (APPLIED.test(open) || REGEXP.test(open)) return true
  if (CHAIN.test(value) && (ROOTS.test(value) || !/\d/.test(value))) return true
  if (!NAMED.test(value) || !SECRET_TAIL.test(value)) return false
  return /[a-z][A-Z]|[A-Za-z]_[A-Za-z]/.test(value)
}

/** Whether a path to a file is meant: two segments at least, in small words. */
export function isPath(value: string): boolean {
  return (
    /^(?:~|\.{1,2}|[A-Za-z]:)?(?:[/\\][a-z0-9_.-]{1,40}){2,}[/\\]?$/i.test(value) &&
    !/[A-Z][a-z0-9]*[A-Z]\w*\d/.test(value)
  )
}

/** `https://…`, `file:…`: where something is; a credential inside an address has its own rule. */
export function isAddress(value: string): boolean {
  return (
    /^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(value) ||
    /^(?:arn|urn|data|file|mailto|op|ref|vault|secretsmanager|ssm):/i.test(value)
  )
}
