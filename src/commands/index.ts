export * from './commit.ts'
export * from './errors.ts'
export * from './recall.ts'
export * from './stamp.ts'
