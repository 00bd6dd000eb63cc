const VALUE_BYTES = Float32Array.BYTES_PER_ELEMENT;

/** The bytes of vectors, one after the other: exact, and a quarter of the length of decimal numbers. */
export function vectorsToBase64(vectors: readonly Float32Array[]): string {
  const bytes = vectors.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength));
  return Buffer.concat(bytes).toString('base64');
}

/** Reads the vectors back; bytes at the end that make no whole number are ignored. */
export function vectorsFromBase64(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  // A copy, because floats must begin at a multiple of four bytes.
  const values = new Float32Array(Math.floor(bytes.byteLength / VALUE_BYTES));
  Buffer.from(values.buffer).set(bytes.subarray(0, values.byteLength));
  return values;
}
