export { type Distilled, MAX_DISTILLED, type Passage } from './distilled.ts'
export { type Proposal, verbatimGate } from './gate.ts'
export { type Ask, distilByModel } from './model.ts'
export { distilTurn } from './turn.ts'
