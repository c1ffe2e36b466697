export { emptyTally, type FoldOutcome, type FoldTally, Projector } from './projector.ts'
export { isDisputed } from './seen.ts'
