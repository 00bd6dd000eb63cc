/**
 * Value at x of the polynomial through the points (xs[i], ys[i]), in Lagrange's form.
 * @param xs distinct
 * @complexity O(k^2) for k points
 */
export function polynomialThrough(xs: readonly number[], ys: readonly number[], x: number): number {
  return xs.reduce((sum, xi, i) => {
    const weight = xs.reduce((product, xj, j) => (i === j ? product : (product * (x - xj)) / (xi - xj)), 1);
    return sum + weight * (ys[i] as number);
  }, 0);
}
