const HAN = /\p{Script=Han}/u
const PART = /[\p{L}\p{N}_]/u
/** Between letters or digits these join: `8443` is no token of `8443.5`, nor `api` of `api-gateway`. */
const JOINT = /[.\-:/@+#'’,]/u

const before = (text: string, at: number) => [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? ''
const after = (text: string, at: number) => [...text.slice(at, at + 2)].at(0) ?? ''

/** Whether a token goes on across an edge. Han has no edges between its words that could be seen. */
function joined(inner: string, outer: string, beyond: string): boolean {
  if (HAN.test(inner) || HAN.test(outer)) return false
  if (PART.test(outer)) return PART.test(inner)
  return JOINT.test(outer) && PART.test(inner) && PART.test(beyond) && !HAN.test(beyond)
}

/** Where a phrase stands in a text as whole tokens, exactly as it is written; -1 for nowhere. */
export function wholeTokensAt(text: string, phrase: string): number {
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    const end = at + phrase.length
    const left = before(text, at)
    const right = after(text, end)
    const open = joined(after(phrase, 0), left, before(text, at - left.length))
    // A possessive ends the name it is put to.
    const possessive = /^['’]s?(?![\p{L}\p{N}])/u.test(text.slice(end, end + 4))
    const close = !possessive && joined(before(phrase, phrase.length), right, after(text, end + right.length))
    if (!open && !close) return at
  }
  return -1
}
