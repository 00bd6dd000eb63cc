import { firstIndex } from './first-index.ts';
import type { OrderedSample } from './ordered-sample.ts';

/**
 * The product-limit curve, kept as the stretches of events between two censored values. Inside a stretch nobody leaves
 * but by events, so the factors (n - 1) / n telescope to (r - e) / r and Greenwood's terms to 1 / (r - e) - 1 / r. The
 * curve at a time is thus a function of one number, how many events are at or before it: the rank below, 0 before all.
 */
export interface SurvivalSegments {
  /** The last stretch runs out of runs at risk: the curve ends at 0. */
  readonly reachesZero: boolean;
  readonly count: number;
  /** Ranks (startOf(i), endOf(i)] belong to stretch i; 0 before `count` means before the first event. */
  startOf(segment: number): number;
  endOf(segment: number): number;
  /** At risk when the stretch begins. */
  atRiskOf(segment: number): number;
  /** Survival when the stretch begins. */
  survivalOf(segment: number): number;
  /** The stretch of a rank from 1 on. */
  containing(rank: number): number;
  /** Survival, and the variance of its logarithm (Infinity where survival is 0). */
  at(rank: number): { survival: number; varianceSum: number };
}

/**
 * Builds the stretches; stretches without events merge. Copies neither the events nor the censored values.
 * Events come before censorings at the same time: a value censored at t was at risk at t.
 * @param later how many more values are censored after all others
 * @complexity O(c log n) time and O(c) memory, for c distinct censored values and n events
 */
export function survivalSegments(events: OrderedSample, censored: OrderedSample, later: number): SurvivalSegments {
  const eventCount = events.size;
  const censoredCount = censored.size;
  const starts: number[] = [];
  const atRisks: number[] = [];
  const survivals: number[] = [];
  const varianceSums: number[] = [];
  let count = 0;
  let start = 0;
  let survival = 1;
  let varianceSum = 0;
  let reachesZero = false;

  const close = (end: number, censoredBefore: number) => {
    if (end === start) return;
    const atRisk = eventCount - start + censoredCount - censoredBefore + later;
    const left = atRisk - (end - start);
    starts[count] = start;
    atRisks[count] = atRisk;
    survivals[count] = survival;
    varianceSums[count] = varianceSum;
    count += 1;
    survival *= left / atRisk;
    varianceSum += (end - start) / (left * atRisk);
    reachesZero = left === 0;
    start = end;
  };
  for (let index = 0; index < censoredCount; ) {
    const time = censored.at(index);
    close(events.countAtMost(time), index);
    index = censored.countAtMost(time);
  }
  close(eventCount, censoredCount);

  const startOf = (segment: number) => (segment < count ? (starts[segment] as number) : eventCount);
  const containing = (rank: number) => firstIndex(count, (segment) => startOf(segment) >= rank) - 1;
  return {
    reachesZero,
    count,
    startOf,
    endOf: (segment) => startOf(segment + 1),
    atRiskOf: (segment) => atRisks[segment] as number,
    survivalOf: (segment) => survivals[segment] as number,
    containing,
    at(rank) {
      if (rank === 0) return { survival: 1, varianceSum: 0 };
      const segment = containing(rank);
      const gone = rank - startOf(segment);
      const atRisk = atRisks[segment] as number;
      const left = atRisk - gone;
      return {
        survival: (survivals[segment] as number) * (left / atRisk),
        varianceSum: (varianceSums[segment] as number) + gone / (left * atRisk),
      };
    },
  };
}
