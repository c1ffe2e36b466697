export * from './journal-reader.ts'
export * from './journal-writer.ts'
export * from './roots.ts'
export * from './session-log.ts'
