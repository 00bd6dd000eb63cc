import type { VectorRows } from './vector-rows.ts';

/** Cosines of rows with each other: of the first one with all, then of the second one, and so on; -Infinity of one with itself. */
export function cosinesAmong(rows: Int32Array, vectors: VectorRows): Float64Array {
  const count = rows.length;
  const cosines = new Float64Array(count * count).fill(Number.NEGATIVE_INFINITY);
  for (let a = 1; a < count; a++) {
    const ofRow = cosines.subarray(a * count, a * count + a);
    vectors.dots(vectors.row(rows[a] as number), rows.subarray(0, a), ofRow);
    for (let b = 0; b < a; b++) cosines[b * count + a] = ofRow[b] as number;
  }
  return cosines;
}
