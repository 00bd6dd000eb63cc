type Column = Int32Array<ArrayBuffer> | Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** Growth by as much again keeps the copying per added element constant; what is not used yet takes address space, not memory. */
const GROWTH = 2;
const LEAST = 64;

/** The column itself when it has `length` elements, else a longer copy of it. */
export function grown<C extends Column>(column: C, length: number): C {
  if (length <= column.length) return column;
  const capacity = Math.max(length, column.length * GROWTH, LEAST);
  const longer = new (column.constructor as new (length: number) => C)(capacity);
  longer.set(column);
  return longer;
}
