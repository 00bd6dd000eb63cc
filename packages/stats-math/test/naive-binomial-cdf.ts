/** P(X <= k) as the plain sum of terms, for small sizes only. */
export function naiveBinomialCdf(k: number, size: number, p: number): number {
  let logTerm = size * Math.log1p(-p);
  let sum = 0;
  for (let successes = 0; successes <= Math.min(k, size); successes++) {
    sum += Math.exp(logTerm);
    logTerm += Math.log((size - successes) / (successes + 1)) + Math.log(p) - Math.log1p(-p);
  }
  return Math.min(sum, 1);
}
