/** A dump without what only session logs hold: the text of archived turns. */
export function withoutTexts(dump: string): string {
  return dump
    .split('\n')
    .filter(line => !line.startsWith('["page part"'))
    .map(line => line.replace(/"held":[01],"found":\d+/, '"held":0,"found":0'))
    .join('\n')
}
