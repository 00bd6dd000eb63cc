import type { OrderedSample } from '@agent-faculties/stats-math';
import { curveOf } from './duration-curve.ts';
import type { DurationSample } from './duration-history.ts';

/** Bins of a histogram: enough to show two humps, few enough to read. */
const BINS = 24;
const CURVE_POINTS = 200;
/** A duration of 0 has no place on a logarithmic axis. */
const LEAST_SECONDS = 0.001;

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Bins of equal width on a logarithmic axis from the least to the greatest; the last includes its end. O(bins log n). */
export function histogram(sorted: OrderedSample): Bin[] {
  if (sorted.size === 0) return [];
  const greatest = Math.max(sorted.at(sorted.size - 1), LEAST_SECONDS);
  const least = Math.min(Math.max(sorted.at(0), LEAST_SECONDS), greatest);
  if (least === greatest) return [{ from: least, to: greatest, count: sorted.size }];
  const ratio = (greatest / least) ** (1 / BINS);
  const edges = Array.from({ length: BINS + 1 }, (_, index) => (index === BINS ? greatest : least * ratio ** index));
  let before = 0;
  return edges.slice(1).map((to, index) => {
    const upTo = index === BINS - 1 ? sorted.size : sorted.countBelow(to);
    const bin = { from: edges[index] as number, to, count: upTo - before };
    before = upTo;
    return bin;
  });
}

/** Steps of the survival curve with its band. */
export function survivalSteps(sample: DurationSample, nowMs: number) {
  return curveOf(sample, nowMs).points(CURVE_POINTS);
}
