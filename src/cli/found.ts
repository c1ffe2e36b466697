import { inOut, type PageHit } from '../readmodels/index.ts'

/** Characters of a page that `search` shows. */
const FOUND_CHARS = 1_200

/** The lines that show a page that was found; its title is in the first line of its text. */
export function* describeFound(page: PageHit): Generator<string> {
  yield `${page.doc}, page ${page.page + 1}  ${page.score.toFixed(3)}`
  yield `  ${inOut(page, FOUND_CHARS).replaceAll('\n', '\n  ')}`
  yield `  (${page.why})`
}
