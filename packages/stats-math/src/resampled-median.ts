import type { OrderedSample } from './ordered-sample.ts';
import type { RandomSource } from './random-source.ts';

/**
 * Draws medians of resamples, of as many values drawn with replacement as the sample has. The values are sorted, so a resample is n
 * uniform numbers, of which each stands for the value that many steps from the least; the k-th least of them is Beta(k, n + 1 - k)
 * distributed, and the next one the least of n - k uniform numbers above it (David and Nagaraja, Order Statistics, section 2.5).
 * Nothing else of the resample has to be drawn.
 * @complexity O(1) a draw, for samples of any size
 */
export function resampledMedians(sample: OrderedSample, random: RandomSource): () => number {
  const { size } = sample;
  const isOdd = size % 2 === 1;
  const place = isOdd ? (size + 1) / 2 : size / 2;
  const rankOf = (uniform: number): number => Math.min(Math.floor(uniform * size), size - 1);
  return () => {
    const below = gammaVariate(place, random);
    const uniform = below / (below + gammaVariate(size + 1 - place, random));
    const value = sample.at(rankOf(uniform));
    if (isOdd) return value;
    const next = 1 - (1 - uniform) * random.next() ** (1 / (size - place));
    return (value + sample.at(rankOf(next))) / 2;
  };
}

/** Marsaglia and Tsang (2000), A simple method for generating gamma variables. @param shape at least 1 */
function gammaVariate(shape: number, random: RandomSource): number {
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normalVariate(random);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - random.next()) < 0.5 * x * x + d * (1 - v + Math.log(v))) return d * v;
  }
}

/** Box and Muller (1958), A note on the generation of random normal deviates. */
function normalVariate(random: RandomSource): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}
