/** What stands for a value without being one: a template, a mask, an example, a marker of ours. */
const PLACEHOLDERS: readonly RegExp[] = [
  // ${TOKEN} $TOKEN $(cat key) $env:TOKEN %TOKEN% {{ token }} #{token} {token} {0}
  /^\$\{[^}]*\}?|^\$\(|^\$\$?[A-Za-z_][\w:.]*\b(?![^\s"'`/.,;:&)\]}])|^%[A-Za-z_]\w*%|^\{\{|^#\{|^\{[\w.:-]*\}[.,;]?$/,
  // %s %d {} <your-key> [redacted:…] [your key]
  /^%\(?[a-z_]*\)?[sdv][.,;]?$|^\{\}|^<[^<>]*>?[.,;:)]*$|^&lt;|^\[[^\]]*\]?[.,;:!?)}]*$/,
  // **** •••• xxxx ---- ____ .... ??? ……
  /^[*•●·.…_?？＊-]+$|^(?:(.)\1{0,40}[*•●…]{2,}|[*•●…]{2,}).{0,4}$|^[xX]{2,}[.,;]?$|^sk-[xX.*…]+$|^.{0,8}(?:\*{3,}|•{3,}|\.{3}|…).{0,4}$/u,
  /^(?:x{3,}|X{3,})[-_](?:[xX-]+)$/,
]

const EXAMPLE =
  /^(?:your|my|the|some|an?|insert|enter|replace|change|put|add|paste|example|sample|dummy|fake|placeholder|redacted|removed|hidden|masked|todo|tbd|fixme|foo|bar|baz|foobar|changeme|change[-_]?me|n\/a)(?:[-_. ]?[A-Za-z]+){0,6}$/i

export function isPlaceholder(value: string): boolean {
  const head = value.slice(0, 200)
  return PLACEHOLDERS.some(pattern => pattern.test(head)) || (value.length < 60 && isExample(head))
}

/** `your-api-key`, `changeme`, `YOUR_TOKEN_HERE`: words only, of which the first says that it is an example. */
function isExample(value: string): boolean {
  if (!EXAMPLE.test(value)) return false
  // `mypassword` and `fooled` are somebody's password; `my-password` is nobody's.
  return /^[A-Za-z]+$/.test(value) ? LONE.has(value.toLowerCase()) : /[-_. /]/.test(value)
}

const LONE = new Set(
  'example sample dummy fake placeholder redacted removed hidden masked todo tbd fixme foo bar baz foobar changeme yourpassword yoursecret yourtoken yourkey yourapikey'.split(
    ' ',
  ),
)
