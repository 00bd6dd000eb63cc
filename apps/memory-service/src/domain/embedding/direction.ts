/** The mean of vectors of unit length, at unit length again: what they have in common. @param vectors at least one */
export function directionOf(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array((vectors[0] as Float32Array).length);
  for (const vector of vectors)
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (vector[i] as number);
  const length = Math.sqrt(dot(sum, sum)) || 1;
  return sum.map((value) => value / length);
}

/** Dot product: the cosine of vectors of unit length. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
