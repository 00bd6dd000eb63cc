import { median, type OrderedSample } from '@agent-faculties/stats-math';
import { secondsBetween } from '../instant.ts';
import { curveOfNext } from './duration-curve.ts';
import { type DurationEstimate, NO_ESTIMATE } from './duration-estimate.ts';
import { type DurationSample, longestIn } from './duration-history.ts';
import { isCensored, percentileOf } from './percentile.ts';
import { stuckShare } from './stuck-runs.ts';

/** The share of runs that an interval over the runs of one type covers. */
const COVERAGE = 0.8;
/** A probability that is reached exactly is not missed by its last digit. */
const ROUNDING = 1e-9;

/** The middle of the runs that ended ok, or of the survival curve where runs were cut off, with an interval for the next run. */
export function estimateFromHistory(sample: DurationSample, nowMs: number): Omit<DurationEstimate, 'of'> {
  const { sorted } = sample.ended.ok;
  const known = { ...NO_ESTIMATE, source: 'history' as const, sampleCount: sorted.size };
  if (!isCutOffLate(sample, nowMs)) return { ...known, seconds: median(sorted), ...plainInterval(sorted) };
  const middle = percentileOf(sample, 0.5, nowMs);
  return { ...known, seconds: middle.seconds, ...(!middle.isLowerEnd && intervalOfNext(sample, nowMs)) };
}

type Interval = Pick<DurationEstimate, 'interval' | 'coverage'>;

/**
 * A prediction interval for one more run whose ends are durations: of n runs, the one from rank r to rank n + 1 - r holds it with
 * probability (n + 1 - 2 r) / (n + 1) (Hahn and Meeker, Statistical Intervals, section 5.4).
 */
function plainInterval(sorted: OrderedSample): Interval | null {
  const runs = sorted.size;
  const rank = Math.max(1, Math.floor(((1 - COVERAGE) / 2) * (runs + 1)));
  const coverage = (runs + 1 - 2 * rank) / (runs + 1);
  return coverage > 0 ? { interval: [sorted.at(rank - 1), sorted.at(runs - rank)], coverage } : null;
}

/**
 * The same where runs were cut off: `curveOfNext` says with which probability one more run ends beyond each end. Where it does not fall
 * far enough, the interval ends at the longest ok run and covers less. The plain curve would promise too much: it ends at 0 where the
 * longest run ended ok, even if all others were cut off before that. Stuck runs are left out, as in percentiles.
 */
function intervalOfNext(sample: DurationSample, nowMs: number): Interval | null {
  const { sorted } = sample.ended.ok;
  const ending = 1 - stuckShare(sample, nowMs);
  const curve = curveOfNext(sample, nowMs);
  const tail = ((1 - COVERAGE) / 2) * ending;
  const above = curve.quantileValue(tail + ROUNDING);
  const low = sorted.at(above === null ? 0 : Math.max(0, sorted.countBelow(above) - 1));
  const high = curve.quantileValue(ending - tail - ROUNDING) ?? sorted.at(sorted.size - 1);
  const coverage = (curve.survivalAt(low).survival - curve.survivalAt(high).survival) / ending;
  return coverage > 0 ? { interval: [low, high], coverage } : null;
}

/** Whether a run was cut off, or still runs, after more time than the shortest ok run took. Shorter ones say nothing. */
export function isCutOffLate(sample: DurationSample, nowMs: number): boolean {
  return isCensored(sample) && longestCutOff(sample, nowMs) > sample.ended.ok.sorted.at(0);
}

/** The longest time that a run has taken without an ok end, so far or until it was cut off, in seconds; 0 without any. */
export function longestCutOff({ ended, activeStartsMs }: DurationSample, nowMs: number): number {
  const running = activeStartsMs.size > 0 ? secondsBetween(activeStartsMs.at(0), nowMs) : 0;
  return Math.max(longestIn(ended.timeout), longestIn(ended.cancelled), running);
}
