import type { OrderedSample } from './ordered-sample.ts';
import { requireCount } from './require-in-range.ts';

/**
 * The middle value, or the mean of the two middle ones, in the unit of the values.
 * @throws RangeError when the sample is empty
 * @complexity O(1) rank accesses
 */
export function median(sample: OrderedSample): number {
  requireCount('sample.size', sample.size, 1);
  const upper = Math.floor(sample.size / 2);
  if (sample.size % 2 === 1) return sample.at(upper);
  const low = sample.at(upper - 1);
  // Not (low + high) / 2, which overflows.
  return low + (sample.at(upper) - low) / 2;
}
