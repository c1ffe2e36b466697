/** The one analyser of the read models: pure functions from text to what is looked up. */

export type { NamedDate } from './dates.ts'
export { type AnalysedText, analyseText } from './document.ts'
export { stem } from './english.ts'
export { type ParsedFact, parseFact } from './fact.ts'
export { ENGLISH_FUNCTION_WORDS } from './functionWords.ts'
export { hash32 } from './hash.ts'
export { foldWord, MAX_ANALYSED_UNITS, normaliseForms } from './normalise.ts'
export { type AnalysedQuery, analyseQuery, MAX_QUERY_TERMS, type QuerySymbol, type QueryTerm } from './query.ts'
export { isInScene, sceneKey } from './sceneKey.ts'
export { type SymbolKind, symbolKind, symbolsOf, type TextSymbol } from './symbols.ts'
export { simplify } from './variants.ts'
export { wholeToken, wordsOf } from './wholeToken.ts'
