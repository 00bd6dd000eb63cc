import type { TimeSlicer } from './time-slicer.ts';

/** The number of items that are sorted in one slice, which takes about 2 ms. */
const SLICE = 2_000;

/** A stable merge sort in time slices, so that it does not block the event loop. @complexity O(n log n) */
export async function sortedInSlices<T>(
  items: readonly T[],
  { compare, slicer }: { compare: (a: T, b: T) => number; slicer: TimeSlicer },
): Promise<T[]> {
  let runs: T[][] = [];
  for (let start = 0; start < items.length; start += SLICE) {
    if (slicer.isDue) await slicer.rest();
    runs.push(items.slice(start, start + SLICE).sort(compare));
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let i = 0; i < runs.length; i += 2) {
      longer.push(await merged(runs[i] ?? [], runs[i + 1] ?? [], { compare, slicer }));
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

async function merged<T>(
  a: readonly T[],
  b: readonly T[],
  { compare, slicer }: { compare: (a: T, b: T) => number; slicer: TimeSlicer },
): Promise<T[]> {
  const both: T[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (slicer.isDue) await slicer.rest();
    const isFromA = j === b.length || (i < a.length && compare(a[i] as T, b[j] as T) <= 0);
    both.push((isFromA ? a[i++] : b[j++]) as T);
  }
  return both;
}
