/** The vector space: what is near in meaning, within one space. Synchronous, on one SQLite connection. */
export {
  buildCentroid,
  type Centroid,
  type CentroidStats,
  centroidSteps,
  checkpoint,
  dueCentroids,
  isCentred,
  isCentroidDue,
  readCentroid,
  spaceDimension,
} from './centroid.ts'
export { forgetShelves } from './held.ts'
export { lease } from './lease.ts'
export { type MissingVector, missingVectors } from './missing.ts'
export { type NearestAnswer, type NearestHit, type NearestRequest, nearest } from './nearest.ts'
export { LEAST_RELEVANCE } from './relevance.ts'
export { VECTOR_SCHEMA, VECTOR_TABLES } from './schema.ts'
export type { TargetKind } from './shelves.ts'
export { type Skipped, type SkipReason, skippedUnembedded } from './skipped.ts'
export { declareSpace, findSpace, type KnownSpace } from './spaces.ts'
export { type BroughtVector, type Target, type VectorTable, vectorTable } from './table.ts'
export { unusableVectors } from './unusable.ts'
