import { type OrderedSample, orderedSample, rankSumZ } from '@agent-faculties/stats-math';
import { secondsBetween } from '../instant.ts';
import type { Task } from '../task.ts';
import { cutOffCount, type DurationSample } from './duration-history.ts';

/** The newest runs, so many, are held against no fewer others. From 20 and 20 on, the normal distribution of the test is close. */
export const COMPARED = 20;
/** 0.5 % of the standard normal distribution lie above: of 100 types that have not changed, one is taken for changed. */
const UNLIKE_Z = 2.5758;
/** More seconds than any run takes: for one that was cut off or still runs, nobody knows how long it would have taken. */
const FOREVER_SECONDS = 1e10;

/** Of runs: they take longer than others, or less long. */
export type Direction = 'slower' | 'faster';

/** Whether enough runs ended ok or were cut off to hold the newest against those before. */
export function isComparable(sample: DurationSample): boolean {
  return sample.ended.ok.sorted.size + cutOffCount(sample) >= 2 * COMPARED;
}

/** Whether the newest runs take longer or less long than all the others of a sample; null where they do not, or are too few. */
export function directionAgainst(sample: DurationSample, newest: readonly Task[], nowMs: number): Direction | null {
  return isComparable(sample) ? directionOf(newest, othersThan(newest, sample, nowMs), nowMs) : null;
}

/** The same of the newest of some runs and the others among them. @param runs newest first */
export function directionAmong(runs: readonly Task[], nowMs: number): Direction | null {
  return directionOf(runs.slice(0, COMPARED), othersAmong(runs.slice(COMPARED), nowMs), nowMs);
}

type Counted = Pick<OrderedSample, 'size' | 'countAtMost' | 'countBelow'>;

/** The runs that others are held against. */
interface Others {
  readonly endedOk: Counted;
  readonly cutOff: Counted;
}

/**
 * By the rank-sum test. A run that was cut off speaks for neither: where the question is whether they take longer, it counts with the time
 * that it reached, and where it is whether they take less, as longer than any.
 */
function directionOf(runs: readonly Task[], others: Others, nowMs: number): Direction | null {
  const many = tiedAfterCutOff(others);
  if (runs.length < COMPARED || many.size < COMPARED) return null;
  if (rankSumZ({ few: runs.map((task) => leastSeconds(task, nowMs)), many }) > UNLIKE_Z) return 'slower';
  return rankSumZ({ few: runs.map(mostSeconds), many }) < -UNLIKE_Z ? 'faster' : null;
}

/**
 * Of a run and another one that was cut off before, nobody knows which takes longer: a tie, as in Gehan (1965, Biometrika 52, 203-223).
 * Else all runs after a timeout was raised would be taken for slower than those that it cut off.
 */
function tiedAfterCutOff({ endedOk, cutOff }: Others): Counted {
  return {
    size: endedOk.size + cutOff.size,
    countAtMost: (value) => endedOk.countAtMost(value) + cutOff.countAtMost(value) / 2,
    countBelow: (value) => endedOk.countBelow(value) + cutOff.countAtMost(value) / 2,
  };
}

function leastSeconds({ durationSeconds, startedMs }: Task, nowMs: number): number {
  return durationSeconds ?? secondsBetween(startedMs, nowMs);
}

function mostSeconds({ outcome, durationSeconds }: Task): number {
  return outcome === 'ok' ? (durationSeconds ?? FOREVER_SECONDS) : FOREVER_SECONDS;
}

/** All of a sample but the runs that are given. Those of them that ended are among it, running ones are not. */
function othersThan(runs: readonly Task[], { ended }: DurationSample, nowMs: number): Others {
  const own = othersAmong(
    runs.filter(({ state }) => state === 'ended'),
    nowMs,
  );
  return {
    endedOk: without([ended.ok.sorted], own.endedOk),
    cutOff: without([ended.timeout.sorted, ended.cancelled.sorted], own.cutOff),
  };
}

function without(samples: readonly Counted[], own: Counted): Counted {
  const count = (of: (one: Counted) => number) => samples.reduce((sum, one) => sum + of(one), 0) - of(own);
  return {
    size: count(({ size }) => size),
    countAtMost: (value) => count((one) => one.countAtMost(value)),
    countBelow: (value) => count((one) => one.countBelow(value)),
  };
}

/** Those that run are counted with the others that were cut off. */
function othersAmong(runs: readonly Task[], nowMs: number): Others {
  const sorted = (some: readonly Task[]) =>
    orderedSample(Float64Array.from(some, (task) => leastSeconds(task, nowMs)).sort());
  return {
    endedOk: sorted(runs.filter(({ outcome }) => outcome === 'ok')),
    cutOff: sorted(runs.filter(({ outcome }) => outcome !== 'ok')),
  };
}
