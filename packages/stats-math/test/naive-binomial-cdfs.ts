/** P(X <= k) for every k from 0 to size, each the plain sum of its terms; for small sizes only. */
export function naiveBinomialCdfs(size: number, p: number): number[] {
  let logTerm = size * Math.log1p(-p);
  let sum = 0;
  return Array.from({ length: size + 1 }, (_, successes) => {
    sum += Math.exp(logTerm);
    logTerm += Math.log((size - successes) / (successes + 1)) + Math.log(p) - Math.log1p(-p);
    return Math.min(sum, 1);
  });
}
