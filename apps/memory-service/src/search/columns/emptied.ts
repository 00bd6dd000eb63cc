/** From this share of the places of a column on, the whole is emptied at once: that writes the memory in order. */
const EMPTIED_AS_A_WHOLE = 1 / 8;

/** Sets a column to 0 at the first so many of some places; it is 0 elsewhere. */
export function emptyAt(
  column: Float32Array | Int32Array | Uint8Array,
  { places, count }: { places: Int32Array; count: number },
): void {
  if (count > column.length * EMPTIED_AS_A_WHOLE) column.fill(0);
  else for (let index = 0; index < count; index++) column[places[index] as number] = 0;
}
