export { emptyTally, type FoldOutcome, type FoldTally, Projector } from './projector.ts'
