/**
 * The least index in 0..size-1 where `isPast` holds, or `size`; `isPast` must be false and then true.
 * @complexity O(log size)
 */
export function firstIndex(size: number, isPast: (index: number) => boolean): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isPast(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
