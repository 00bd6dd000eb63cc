/** Ascending finite numbers with access by rank: an array, or a chunked list of a million. */
export interface OrderedSample {
  readonly size: number;
  /** The value at a 0-based rank in 0..size-1. */
  at(index: number): number;
  /** How many values are <= value. */
  countAtMost(value: number): number;
  /** How many values are < value. */
  countBelow(value: number): number;
}

/**
 * Wraps numbers that are sorted already; it keeps the reference and copies nothing, so do not change them afterwards.
 * @throws RangeError when a value is not finite or smaller than the one before
 * @complexity O(n) for the check, then O(1) for `at` and O(log n) for the counts
 */
export function orderedSample(valuesSorted: ArrayLike<number>): OrderedSample {
  const size = valuesSorted.length;
  let previous = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < size; index++) {
    const value = valuesSorted[index] as number;
    if (!Number.isFinite(value) || value < previous) {
      throw new RangeError(`value ${value} at index ${index} is out of order: pass finite numbers, ascending`);
    }
    previous = value;
  }
  return {
    size,
    at(index) {
      const value = valuesSorted[index];
      if (value === undefined) throw new RangeError(`rank ${index} does not exist: pass 0 to ${size - 1}`);
      return value;
    },
    // Two plain loops: a shared search with a callback made 10,000 counts in a million values take 5 ms, not 2.
    countAtMost(value) {
      let low = 0;
      let high = size;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((valuesSorted[middle] as number) <= value) low = middle + 1;
        else high = middle;
      }
      return low;
    },
    countBelow(value) {
      let low = 0;
      let high = size;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((valuesSorted[middle] as number) < value) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}
