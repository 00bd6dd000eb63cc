/** What recall needs of the vectors, which all have unit length; VectorMatrix is one. */
export interface VectorRows {
  /** Dot product of a vector with a row. */
  dot(query: Float32Array, row: number): number;
  /** Dot products of a vector with some rows, to the same places of `products`: for many rows quicker than one by one. */
  dots(query: Float32Array, rows: ArrayLike<number>, products: Float64Array): void;
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

/** `dots`, one by one. */
export function eachDot(
  of: Pick<VectorRows, 'dot'>,
  query: Float32Array,
  { rows, products }: { rows: ArrayLike<number>; products: Float64Array },
): void {
  for (let place = 0; place < rows.length; place++) products[place] = of.dot(query, rows[place] as number);
}
