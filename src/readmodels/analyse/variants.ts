import hongKong from 'opencc-js/dict/HKVariantsRev'
import traditional from 'opencc-js/dict/TSCharacters'
import taiwan from 'opencc-js/dict/TWVariantsRev'

/**
 * Traditional and regional Han characters folded to one simplified form, for the index copy only.
 *
 * The tables are OpenCC's (character tables, not its phrase tables): both sides of a lookup are folded by the same
 * mapping, so a character that a phrase table would spare (乾隆) still meets itself. Loading takes about 3 ms.
 */

function pairsOf(table: string): [string, string][] {
  return table.split('|').flatMap(entry => {
    const [from, to] = entry.split(' ')
    return from && to ? [[from, to] as [string, string]] : []
  })
}

function buildFold(): Map<string, string> {
  const simplified = new Map(pairsOf(traditional))
  const fold = new Map(simplified)
  for (const [from, to] of [...pairsOf(hongKong), ...pairsOf(taiwan)]) {
    // 么 is the simplified question particle first, and a variant of 幺 hardly ever.
    if (from !== '么' && !simplified.has(from)) fold.set(from, simplified.get(to) ?? to)
  }
  for (const [from, to] of fold) {
    // An answer that is itself a key would make folding twice differ from folding once.
    const again = fold.get(to)
    if (again !== undefined) fold.set(from, again)
    if (fold.get(from) === from) fold.delete(from)
  }
  return fold
}

let foldTable: Map<string, string> | undefined

/** One character (a code point as a string) in its simplified form. */
export function simplify(char: string): string {
  foldTable ??= buildFold()
  return foldTable.get(char) ?? char
}
