/** What is measured: something that holds vectors, numbered from 0, and finds the nearest. */
export interface Engine {
  readonly name: string
  /** Takes all vectors. */
  build(stored: Float32Array, count: number): void
  /** Numbers of the nearest, nearest first. */
  nearest(question: Float32Array, k: number): number[]
  /** Adds one more. */
  insert(vector: Float32Array, number: number): void
  /** Bytes in memory for a search, and on disk, where they can be told. */
  size(): { readonly held?: number; readonly disk?: number }
  close(): void
}
