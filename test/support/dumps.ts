/** A dump without what only session logs hold: the text of archived turns. */
export function withoutTexts(dump: string): string {
  return dump
    .split('\n')
    .filter(line => !line.startsWith('["page part"'))
    .map(line => line.replace(/"held":[01],"found":\d+,"log":"[^"]*"/, '"held":0,"found":0,"log":""'))
    .join('\n')
}
