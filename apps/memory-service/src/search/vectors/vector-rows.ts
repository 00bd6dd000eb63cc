/** What recall needs of the vectors, which all have unit length; VectorMatrix is one. */
export interface VectorRows {
  /** Dot product of a vector with a row. */
  dot(query: Float32Array, row: number): number;
  /** Dot product of two rows. */
  dotRows(a: number, b: number): number;
  /** The row itself; not to be changed. */
  row(row: number): Float32Array;
}

/** Consecutive rows of one memory: the chunks of its text. */
export interface RowRange {
  readonly first: number;
  readonly count: number;
}
