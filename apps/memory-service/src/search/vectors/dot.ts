/** Dot product of vectors that are in no `RowMemory`. Four sums side by side, because each addition has to wait for the one before it. */
export function dotAt(a: Float32Array, startA: number, b: Float32Array, startB: number, dimension: number): number {
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let sum3 = 0;
  let i = 0;
  for (const end = dimension - 3; i < end; i += 4) {
    const atA = startA + i;
    const atB = startB + i;
    sum0 += (a[atA] as number) * (b[atB] as number);
    sum1 += (a[atA + 1] as number) * (b[atB + 1] as number);
    sum2 += (a[atA + 2] as number) * (b[atB + 2] as number);
    sum3 += (a[atA + 3] as number) * (b[atB + 3] as number);
  }
  for (; i < dimension; i++) sum0 += (a[startA + i] as number) * (b[startB + i] as number);
  return sum0 + sum1 + (sum2 + sum3);
}
