export * from './port.ts'
export { ReadModelError, WorkerReadModel } from './worker/client.ts'
