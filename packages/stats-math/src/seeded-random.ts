import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomSource } from './random-source.ts';
import { requireCount } from './require-in-range.ts';

/**
 * A stream of random numbers that the seed decides: pure-rand's xoroshiro128+. Not for secrets.
 * @param seed whole number; its low 32 bits count
 * @throws RangeError when the seed is not whole, or `nextInt` gets less than 1
 * @complexity O(1) a number
 */
export function seededRandom(seed: number): RandomSource {
  if (!Number.isSafeInteger(seed)) throw new RangeError(`seed is ${seed}: pass a whole number`);
  const generator = xoroshiro128plus(seed | 0);
  // Half of its first state is that of every seed: the first number is 0.99999, the second goes up by 1/16 from seed to seed.
  generator.jump();
  return {
    next: () => uniformFloat64(generator),
    nextInt(exclusiveMax) {
      requireCount('exclusiveMax', exclusiveMax, 1);
      return uniformInt(generator, 0, exclusiveMax - 1);
    },
  };
}
