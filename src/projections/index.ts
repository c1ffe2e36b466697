export * from './blocks.ts'
export * from './recall.ts'
export * from './space.ts'
export * from './unit.ts'
