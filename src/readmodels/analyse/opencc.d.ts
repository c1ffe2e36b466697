/** Character tables of opencc-js, which ships no types for its single dictionaries: `from to[ to…]|from to|…`. */
declare module 'opencc-js/dict/TSCharacters' {
  const table: string
  export default table
}
declare module 'opencc-js/dict/TWVariantsRev' {
  const table: string
  export default table
}
declare module 'opencc-js/dict/HKVariantsRev' {
  const table: string
  export default table
}
