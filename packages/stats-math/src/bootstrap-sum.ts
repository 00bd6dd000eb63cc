import type { RandomSource } from './random-source.ts';
import { requireCount, requireInRange } from './require-in-range.ts';

/** Values to pick from by index; an OrderedSample is one. */
export interface BootstrapTerm {
  readonly size: number;
  at(index: number): number;
}

/**
 * Fills out[from..to) with sums of one random value of each term: the bootstrap distribution of a sum of independent
 * steps. It works in slices so that a caller can yield between them; the same source, sliced or not, gives the same sums.
 *
 * Source: Efron and Tibshirani, An Introduction to the Bootstrap. Medians do not add up, which is why this exists.
 * @param options.terms each with at least one value; no terms give sums of 0
 * @param options.from @param options.to 0 <= from <= to <= out.length
 * @throws RangeError when a term is empty or the slice does not lie in `out`
 * @complexity O((to - from) * terms)
 */
export function bootstrapSum(options: {
  terms: readonly BootstrapTerm[];
  random: RandomSource;
  out: Float64Array;
  from: number;
  to: number;
}): void {
  const { terms, random, out, from, to } = options;
  requireCount('from', from, 0);
  requireCount('to', to, from);
  requireInRange('to', to, { least: from, most: out.length });
  for (const [index, term] of terms.entries()) requireCount(`terms[${index}].size`, term.size, 1);
  for (let draw = from; draw < to; draw++) {
    let sum = 0;
    for (const term of terms) sum += term.at(random.nextInt(term.size));
    out[draw] = sum;
  }
}
