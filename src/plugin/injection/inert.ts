// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/**
 * A remembered text as inert data: no tag in it closes the frame, the host's `{{…}}` is not a template, control characters
 * are shown as U+FFFD, and characters that turn the reading direction are spelt out. Quotes stay, as they are safe
 * outside of an attribute and code is full of them.
 */
export function inert(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(CONTROL, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(BIDI, mark => `&#x${mark.charCodeAt(0).toString(16)};`)
    .replaceAll('{{', '&#123;&#123;')
}

/** The same for the value of an attribute, which a quote would close. */
export function inertAttribute(text: string): string {
  return inert(text).replaceAll('"', '&quot;')
}
