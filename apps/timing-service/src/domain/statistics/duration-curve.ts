import { type OrderedSample, type SurvivalCurve, survivalCurve } from '@agent-faculties/stats-math';
import { secondsBetween } from '../instant.ts';
import { cutOffCount, type DurationSample, longestIn } from './duration-history.ts';
import { joinedBuckets } from './exact-durations.ts';

/**
 * A curve may be this old. It counts running tasks with their elapsed time at that moment, which is just as valid. A write renews
 * the curve at once unless very many tasks are censored. Without this, one running task among a million would cost a new curve
 * per call.
 */
const CURVE_AGE_MS = 250;
/** With this many censored tasks (building takes 3 ms with 10,000) a write does not renew the curve before it is old. */
const MANY_CENSORED = 10_000;

/** The most durations that are looked up one by one when a sample has its durations in buckets. */
const FEW_CENSORED = 16;

interface KnownCurve {
  readonly version: number;
  readonly atMs: number;
  readonly curve: SurvivalCurve;
}

/** Without the next run, and with it. */
const known = [new WeakMap<DurationSample, KnownCurve>(), new WeakMap<DurationSample, KnownCurve>()] as const;
const knownCensored = new WeakMap<DurationSample, { size: number; sorted: Float64Array }>();

/**
 * The survival curve of tasks that end ok. Timed-out and cancelled tasks are right-censored at their duration, running
 * ones at their elapsed time; failed and abandoned ones are left out, because they say nothing of how long success takes.
 * O(c log n) for c censored of n, at most every 250 ms or after a write.
 */
export function curveOf(sample: DurationSample, nowMs: number): SurvivalCurve {
  return keptCurve(sample, { nowMs, later: 0 });
}

/** The curve with the next run in it, of which nothing is known yet: what it predicts of that run. */
export function curveOfNext(sample: DurationSample, nowMs: number): SurvivalCurve {
  return keptCurve(sample, { nowMs, later: 1 });
}

function keptCurve(sample: DurationSample, { nowMs, later }: { nowMs: number; later: 0 | 1 }): SurvivalCurve {
  const last = known[later].get(sample);
  if (last) {
    const isYoung = Math.abs(nowMs - last.atMs) <= CURVE_AGE_MS;
    const isCurrent = last.version === sample.version && (isYoung || sample.activeStartsMs.size === 0);
    if (isCurrent || (isYoung && last.curve.censored > MANY_CENSORED)) return last.curve;
  }
  const events = sample.ended.ok.sorted;
  const curve = survivalCurve({ events, censoredSorted: censoredSeconds(sample, nowMs), later });
  known[later].set(sample, { version: sample.version, atMs: nowMs, curve });
  return curve;
}

/** Gives the curves of a sample to a changed copy of it. There they are as valid as after a change of the sample itself. */
export function handOnCurve(from: DurationSample, to: DurationSample): void {
  for (const curves of known) {
    const last = curves.get(from);
    if (last) curves.set(to, last);
  }
}

/** Seconds that censored tasks have reached, ascending. */
function censoredSeconds(sample: DurationSample, nowMs: number): Float64Array | OrderedSample {
  // Starts are ascending, so elapsed times come out descending.
  const running = Float64Array.from(sample.activeStartsMs, (startMs) => secondsBetween(startMs, nowMs)).reverse();
  const buckets = cutOffCount(sample) > FEW_CENSORED ? joinedBuckets(sample, ['timeout', 'cancelled'], running) : null;
  return buckets ?? merged(finishedCensored(sample), running);
}

/** Kept while no timed-out or cancelled task is added: merging 10,000 for each call would cost more than the rest. */
function finishedCensored(sample: DurationSample): Float64Array {
  const { timeout, cancelled } = sample.ended;
  const size = cutOffCount(sample);
  const last = knownCensored.get(sample);
  if (last?.size === size) return last.sorted;
  const sorted = merged(Float64Array.from(timeout.sorted), Float64Array.from(cancelled.sorted));
  knownCensored.set(sample, { size, sorted });
  return sorted;
}

function merged(left: Float64Array, right: Float64Array): Float64Array {
  if (left.length === 0) return right;
  if (right.length === 0) return left;
  const result = new Float64Array(left.length + right.length);
  for (let index = 0, l = 0, r = 0; index < result.length; index++) {
    const takeLeft = r === right.length || (l < left.length && (left[l] as number) <= (right[r] as number));
    result[index] = takeLeft ? (left[l++] as number) : (right[r++] as number);
  }
  return result;
}

/**
 * The longest duration of a finished task, ended ok or cut off. It stands in where the curve gives no quantile. Running tasks are
 * left out, because one forgotten start would set the figure for a day. Zero without any.
 */
export function longestFinished(sample: DurationSample): number {
  const { ok, timeout, cancelled } = sample.ended;
  return Math.max(...[ok, timeout, cancelled].map(longestIn));
}
