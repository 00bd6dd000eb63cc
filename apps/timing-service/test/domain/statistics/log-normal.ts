import type { RandomSource } from '@agent-faculties/stats-math';

/** Draws from a log-normal distribution (Box and Muller 1958). */
export function logNormal(random: RandomSource, { median, sigma }: { median: number; sigma: number }): () => number {
  return () =>
    median * Math.exp(sigma * Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next()));
}
