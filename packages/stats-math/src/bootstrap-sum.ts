import type { RandomSource } from './random-source.ts';
import { requireCount } from './require-in-range.ts';

/** Values to pick from by index; an OrderedSample is one. */
export interface BootstrapTerm {
  readonly size: number;
  at(index: number): number;
}

/**
 * Adds to each element of `out` one random value of each term: started on zeros, the bootstrap distribution of a sum of
 * independent steps. A caller can hand in a few terms at a time and yield between them; the same source, at once or in
 * parts, gives the same sums. One term after the other, because to jump between terms at each pick took twice as long.
 *
 * Source: Efron and Tibshirani, An Introduction to the Bootstrap. Medians do not add up, which is why this exists.
 * @param options.terms each with at least one value; a term of one value takes nothing from the source
 * @throws RangeError when a term is empty; nothing has been added then
 * @complexity O(out.length * terms)
 */
export function bootstrapSum(options: {
  terms: readonly BootstrapTerm[];
  random: RandomSource;
  out: Float64Array;
}): void {
  const { terms, random, out } = options;
  for (const [index, term] of terms.entries()) requireCount(`terms[${index}].size`, term.size, 1);
  for (const term of terms) {
    if (term.size === 1) addConstant(out, term.at(0));
    else addPicks(out, term, random);
  }
}

function addConstant(out: Float64Array, value: number): void {
  for (let draw = 0; draw < out.length; draw++) out[draw] = (out[draw] as number) + value;
}

function addPicks(out: Float64Array, term: BootstrapTerm, random: RandomSource): void {
  const { size } = term;
  for (let draw = 0; draw < out.length; draw++) out[draw] = (out[draw] as number) + term.at(random.nextInt(size));
}
