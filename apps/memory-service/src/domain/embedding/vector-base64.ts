const VALUE_BYTES = Float32Array.BYTES_PER_ELEMENT;

/** The very bytes of vectors behind one another: four times shorter than numbers in decimal, and exact. */
export function vectorsToBase64(vectors: readonly Float32Array[]): string {
  const bytes = vectors.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength));
  return Buffer.concat(bytes).toString('base64');
}

/** What is no whole number at the end is left out. */
export function vectorsFromBase64(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  // Copied, because floats may only begin at multiples of four bytes.
  const values = new Float32Array(Math.floor(bytes.byteLength / VALUE_BYTES));
  Buffer.from(values.buffer).set(bytes.subarray(0, values.byteLength));
  return values;
}
