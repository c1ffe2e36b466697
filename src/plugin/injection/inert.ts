// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/**
 * A remembered text as inert data: tags and quotes cannot close the frame, the host's `{{…}}` is not a template, control
 * characters are shown as U+FFFD, and characters that turn the reading direction are spelt out.
 */
export function inert(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(CONTROL, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replace(BIDI, mark => `&#x${mark.charCodeAt(0).toString(16)};`)
    .replaceAll('{{', '&#123;&#123;')
}
