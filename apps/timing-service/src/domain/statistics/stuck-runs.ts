import { curveOf } from './duration-curve.ts';
import type { DurationSample } from './duration-history.ts';

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
  const count = ok.sorted.size;
  const longest = count === 0 ? 0 : ok.sorted.at(count - 1);
  const cutOff = [timeout.sorted, cancelled.sorted];
  const stuck = cutOff.reduce((sum, sorted) => sum + sorted.size - sorted.countBelow(TIMES_LONGEST * longest), 0);
  if (longest === 0 || stuck < LEAST_STUCK) return 0;
  const { survival } = curveOf(sample, nowMs).survivalAt(longest);
  return survival < MOST_SHARE ? survival : 0;
}

/** From here on, in seconds, a run that was cut off may have been forgotten. */
export function forgottenFrom({ ended: { ok } }: DurationSample): number {
  const longest = ok.sorted.size === 0 ? 0 : ok.sorted.at(ok.sorted.size - 1);
  return TIMES_LONGEST * Math.max(longest, LEAST_LONGEST_SECONDS);
}

/**
 * The longest duration that counts where the curve gives no quantile. One that was cancelled after more than `forgottenFrom` has lasted at
 * least so long, and more is not taken from it until LEAST_STUCK were cancelled as late: one command that nobody ended for ten hours would
 * make of ten seconds a timeout of twelve hours. One that timed out ended at a limit that somebody had set.
 */
export function longestCounted(sample: DurationSample): number {
  const { ok, timeout, cancelled } = sample.ended;
  const greatest = ({ sorted }: typeof ok, nth = 1) => (sorted.size < nth ? 0 : sorted.at(sorted.size - nth));
  const believed = Math.max(forgottenFrom(sample), greatest(cancelled, LEAST_STUCK));
  return Math.max(greatest(ok), greatest(timeout), Math.min(greatest(cancelled), believed));
}
