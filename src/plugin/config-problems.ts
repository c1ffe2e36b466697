/** The parts of a schemastery schema that are looked at. */
interface Schema {
  readonly type?: string
  readonly dict?: Readonly<Record<string, Schema>>
  readonly inner?: Schema
  readonly list?: readonly Schema[]
  readonly value?: unknown
  readonly meta?: {
    readonly min?: number
    readonly max?: number
    readonly step?: number
    readonly pattern?: { readonly source: string }
    readonly default?: unknown
    readonly role?: string
  }
}

export type Path = ReadonlyArray<string | number | symbol>

/** Longest part of a value that is quoted, in characters. */
const MAX_QUOTE = 60

/** What is wrong with a setting, in words: its name, the value it has, what it may be, and what to do. */
export function explainSetting(root: object, config: unknown, path: Path): string {
  let schema: Schema | undefined = root as Schema
  let value = config
  for (const key of path) {
    schema = typeof key === 'number' ? schema?.inner : schema?.dict?.[String(key)]
    value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  }
  const name = path.length === 0 ? 'the configuration' : `\`${nameOf(path)}\``
  const standard = schema?.meta?.default
  const inherited = isPlain(standard) && standard !== '' ? ` for the default, ${String(standard)}` : ''
  const way = value === undefined ? 'Set it' : `Correct it, or remove it${inherited}`
  return `${name} is ${quote(value, schema)}, and must be ${wanted(schema)}. ${way}.`
}

function nameOf(path: Path): string {
  return path.reduce<string>(
    (name, key) => (typeof key === 'number' ? `${name}[${key}]` : `${name}${name === '' ? '' : '.'}${String(key)}`),
    '',
  )
}

function quote(value: unknown, schema: Schema | undefined): string {
  if (value === undefined) return 'missing'
  if (schema?.meta?.role === 'secret') return `of type ${typeof value} (not shown)`
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? typeof value)
  return text.length <= MAX_QUOTE ? text : `${text.slice(0, MAX_QUOTE).toWellFormed()}…`
}

function wanted(schema: Schema | undefined): string {
  const { min, max, step, pattern } = schema?.meta ?? {}
  switch (schema?.type) {
    case 'number': {
      const least = min === undefined ? '' : ` from ${min}`
      return `a ${step === 1 ? 'whole ' : ''}number${least}${max === undefined ? '' : ` to ${max}`}`
    }
    case 'boolean':
      return 'true or false'
    case 'string':
      return pattern === undefined ? 'text' : `text that matches ${pattern.source}`
    case 'union':
      return `one of ${(schema.list ?? []).map(({ value }) => String(value)).join(', ')}`
    case 'object':
      return `a group of settings: ${Object.keys(schema.dict ?? {}).join(', ')}`
    case 'array':
      return 'a list'
    default:
      return 'something else'
  }
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}
