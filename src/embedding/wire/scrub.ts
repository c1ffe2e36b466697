/** What stands where a key was. */
const MARK = '***'
/** Characters of a key in a row that are taken for the key. */
const RUN = 8
/** Longest quotation of a service, in characters. */
const QUOTE = 200

/**
 * Takes a secret out of a text: as it is, percent-encoded or in base64, in any letter case, and also any eight of its
 * characters in a row, since services quote keys in part. An empty secret changes nothing.
 */
export function scrub(text: string, secret: string): string {
  if (secret === '') return text
  const lower = text.toLowerCase()
  const covered = new Uint8Array(text.length)
  for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
    cover(lower, form.toLowerCase(), covered)
  }
  let clean = ''
  for (let at = 0; at < text.length; at += 1) {
    if (covered[at] === 0) clean += text[at]
    else if (at === 0 || covered[at - 1] === 0) clean += MARK
  }
  return clean
}

/** What a service said, fit for a log line: without the secret, on one line, at most 200 characters. */
export function quote(text: string, secret: string): string {
  const line = scrub(text, secret)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .toWellFormed()
  // Control characters may have stood inside the secret.
  const clean = scrub(line, secret)
  return clean.length <= QUOTE ? clean : `${clean.slice(0, QUOTE - 1).toWellFormed()}…`
}

function cover(text: string, form: string, covered: Uint8Array): void {
  const run = Math.min(RUN, form.length)
  for (let from = 0; from + run <= form.length; from += 1) {
    const part = form.slice(from, from + run)
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) covered.fill(1, at, at + run)
  }
}
