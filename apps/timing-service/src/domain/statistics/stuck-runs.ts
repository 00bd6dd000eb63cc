import type { OrderedSample } from '@agent-faculties/stats-math';
import { curveOf } from './duration-curve.ts';
import { type DurationSample, longestIn } from './duration-history.ts';

/** After so many times the longest ok run, one that was cut off would hardly have ended. */
const TIMES_LONGEST = 10;
/** One run alone may have been forgotten. */
const LEAST_STUCK = 3;
/** Stands in for the longest ok run where that took less by the clock. */
const LEAST_LONGEST_SECONDS = 1;
/** Where most runs were cut off, those that ended ok do not say how long the type takes. */
const MOST_SHARE = 0.5;

/**
 * The share of runs that are stuck, and end with no timeout: 0 until some were followed for long and cut off. Then it is where the
 * survival curve stays after the longest ok run (Maller and Zhou 1996, Survival Analysis with Long-Term Survivors). Their test of
 * whether the follow-up is long enough asks of n runs how many, N, ended ok as near to the longest ok run as the longest of all lies
 * beyond it: (1 - N / n)^n is small. Here the third longest run that was cut off is held against it, and has to be ten times as long,
 * because durations of agents have several peaks. Then N is the number of ok runs. It is more than that of the stuck ones where less than
 * half of the runs are stuck, so at least 4, and (1 - N / n)^n is at most 2 %.
 */
export function stuckShare(sample: DurationSample, nowMs: number): number {
  const { ok, timeout, cancelled } = sample.ended;
  const longest = longestIn(ok);
  const cutOff = [timeout.sorted, cancelled.sorted];
  const stuck = cutOff.reduce((sum, sorted) => sum + sorted.size - sorted.countBelow(TIMES_LONGEST * longest), 0);
  if (longest === 0 || stuck < LEAST_STUCK) return 0;
  const { survival } = curveOf(sample, nowMs).survivalAt(longest);
  return survival < MOST_SHARE ? survival : 0;
}

/** From here on, in seconds, a run that was cut off may have been forgotten. */
export function forgottenFrom({ ended: { ok } }: DurationSample): number {
  const longest = longestIn(ok);
  return TIMES_LONGEST * Math.max(longest, LEAST_LONGEST_SECONDS);
}

/**
 * The longest duration that counts where the curve gives no quantile. A run that was cut off after more than `forgottenFrom` has lasted at
 * least so long, and more is not taken from it until LEAST_STUCK were cut off as late: a command that nobody ended for ten hours, or one
 * that hung until the limit of a whole job, would make of ten seconds a timeout of hours. Where no more runs ended ok than were cut off
 * later than all of these, those that timed out count in full: how long the type takes is not known, and their limit was set by somebody.
 */
export function longestCounted(sample: DurationSample): number {
  const { ok, timeout, cancelled } = sample.ended;
  const longestOk = longestIn(ok);
  const later = (sorted: OrderedSample) => sorted.size - sorted.countAtMost(longestOk);
  const mostEndOk = ok.sorted.size > later(timeout.sorted) + later(cancelled.sorted);
  const doubted = mostEndOk ? [timeout.sorted, cancelled.sorted] : [cancelled.sorted];
  const latest = doubted.flatMap(greatest).sort((one, other) => other - one);
  const believed = Math.max(forgottenFrom(sample), latest[LEAST_STUCK - 1] ?? 0);
  const inFull = mostEndOk ? 0 : (greatest(timeout.sorted)[0] ?? 0);
  return Math.max(longestOk, inFull, Math.min(latest[0] ?? 0, believed));
}

/** The LEAST_STUCK greatest, the greatest first. */
function greatest(sorted: OrderedSample): number[] {
  return Array.from({ length: Math.min(LEAST_STUCK, sorted.size) }, (_, nth) => sorted.at(sorted.size - 1 - nth));
}
