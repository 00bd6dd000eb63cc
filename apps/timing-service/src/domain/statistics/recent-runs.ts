import { type OrderedSample, orderedSample, RunningMoments, rankSumZ } from '@agent-faculties/stats-math';
import { secondsBetween } from '../instant.ts';
import type { ListPosition } from '../page.ts';
import { OUTCOMES, type Outcome, type Task, type TaskStore } from '../task.ts';
import type { Whose } from '../whose.ts';
import { cutOffCount, type DurationHistory, type DurationSample, type OutcomeDurations } from './duration-history.ts';
import { type Percentile, percentileOf, plainPercentile } from './percentile.ts';
import { SortedNumbers } from './sorted-numbers.ts';

/** The newest runs that are held against those before. From 20 and 20 on, the normal distribution of the test is close. */
const NEWEST = 20;
/** The share of runs that have ended when one is old enough to be compared, and that a timeout is to let end. */
const SETTLED = 0.95;
/** Of the newest 20, fewer hide nothing. One agent has one, and none of its last runs is to be left out for that. */
const MANY_BEGUN = 5;
/** How many runs an answer may rest on when the newest are unlike the whole history; tried from the longest on. */
const WINDOWS = [160, 80, 40] as const;
/** 0.5 % of the standard normal distribution lie above: of 100 types that have not changed, one is taken for changed. */
const UNLIKE_Z = 2.5758;
/** Tasks that are looked through for the newest runs; listing so many takes 15 ms. A type may have failed a million times since. */
const MOST_LISTED = 1_000;
/** A window in which fewer ended ok says less than the whole history. */
const LEAST_ENDED = 5;
/** Of the newest runs, so many that were cut off are no chance, and one alone may have been forgotten. */
const SEVERAL_CUT_OFF = 3;
/** More seconds than any run takes: for one that was cut off or still runs, nobody knows how long it would have taken. */
const FOREVER_SECONDS = 1e10;

/** The newest runs of a type take longer, or less long, than those before. */
export interface DurationChange {
  readonly direction: 'slower' | 'faster';
  /** The answer rests on the runs from this one on; null: on all, because most of the newest were cut off. */
  readonly since: { readonly startMs: number; readonly runs: number } | null;
}

/** What an answer about the next run rests on. */
export interface Basis {
  readonly sample: DurationSample;
  readonly change: DurationChange | null;
  /**
   * Seconds after which several runs were cut off since the last one ended ok, or of the newest 20 where the answer rests on all
   * because most of those were cut off. Null where no several were.
   */
  readonly newestCutOffAfter: number | null;
}

export interface BasisDeps {
  readonly history: DurationHistory;
  readonly tasks: Pick<TaskStore, 'list'>;
}

export interface BasisInput {
  readonly whose: Whose;
  readonly taskType: string;
  readonly nowMs: number;
}

/** Whether the newest runs take longer, and yet all are answered: how much longer, those that were cut off do not say. */
export function isOutgrown(change: DurationChange | null): boolean {
  return change?.direction === 'slower' && change.since === null;
}

const known = new WeakMap<DurationSample, { readonly version: number; readonly basis: Promise<Basis> }>();

/**
 * The history of a type; or the newest runs, where they are unlike those before, because then the whole history describes neither how
 * long it took nor how long it takes. They are the longest of a few windows in which the newest are not unlike the rest. Adaptive windows
 * are those of Bifet and Gavalda (2007, Learning from time-changing data with adaptive windowing), here with the rank-sum test, since
 * durations are skewed. Lists tasks once after each change of the sample.
 */
export async function basisOf(deps: BasisDeps, input: BasisInput): Promise<Basis> {
  const sample = await deps.history.sample(input.whose, input.taskType);
  if (!isComparable(sample) && cutOffCount(sample) < SEVERAL_CUT_OFF) {
    return { sample, change: null, newestCutOffAfter: null };
  }
  const last = known.get(sample);
  if (last?.version === sample.version) return last.basis;
  const basis = adapted(deps, sample, input);
  known.set(sample, { version: sample.version, basis });
  basis.catch(() => known.delete(sample));
  return basis;
}

/**
 * Only where the newest runs take longer: a timeout from runs that happened to be short would cut off the next one of usual length. So
 * would one from runs of which many were cut off or still run, as after a crash of all agents, where those that ended were short.
 */
export async function basisOfTimeout(deps: BasisDeps, input: BasisInput): Promise<Basis> {
  const basis = await basisOf(deps, input);
  if (basis.change === null) return basis;
  const sample = await deps.history.sample(input.whose, input.taskType);
  if (basis.change.direction === 'faster') return { ...basis, sample, change: null };
  if (basis.change.since === null) return basis;
  const [recent, all] = [basis.sample, sample].map((one) => percentileOf(one, SETTLED, input.nowMs)) as [
    Percentile,
    Percentile,
  ];
  const saysLess = recent.isLowerEnd && recent.seconds < all.seconds;
  return saysLess ? { ...basis, sample, change: { direction: 'slower', since: null } } : basis;
}

async function adapted({ tasks }: BasisDeps, sample: DurationSample, asked: BasisInput): Promise<Basis> {
  const input = { ...asked, untilMs: settledBefore(sample, asked.nowMs) };
  const { runs: newest } = await newestRuns(tasks, input, NEWEST);
  const newestCutOffAfter = cutOffAfter(sinceLastOk(newest));
  const direction = isComparable(sample)
    ? directionOf(newest, othersThan(newest, sample, input.nowMs), input.nowMs)
    : null;
  if (direction === null) return { sample, change: null, newestCutOffAfter };
  const { runs, failed } = await newestRuns(tasks, input, WINDOWS[0]);
  const window = windowOf(runs, input.nowMs);
  const startMs = Math.min(...window.map((task) => task.startedMs));
  const recent = sampleOf([...window, ...failed.filter((task) => task.startedMs >= startMs)]);
  if (recent.ended.ok.sorted.size < LEAST_ENDED) {
    return { sample, change: { direction, since: null }, newestCutOffAfter: cutOffAfter(newest) };
  }
  return { sample: recent, change: { direction, since: { startMs, runs: window.length } }, newestCutOffAfter };
}

/** Of runs, newest first, those that began after the last one that ended ok. */
function sinceLastOk(newest: readonly Task[]): readonly Task[] {
  const lastOk = newest.findIndex(({ outcome }) => outcome === 'ok');
  return lastOk === -1 ? newest : newest.slice(0, lastOk);
}

/** Seconds that as many as SEVERAL_CUT_OFF of the runs reached before they were cut off; null where fewer were. */
function cutOffAfter(runs: readonly Task[]): number | null {
  const cutOff = runs.flatMap(({ outcome, durationSeconds }) =>
    outcome === 'timeout' || outcome === 'cancelled' ? (durationSeconds ?? []) : [],
  );
  return cutOff.sort((one, other) => other - one)[SEVERAL_CUT_OFF - 1] ?? null;
}

/**
 * Where many runs have just begun, of which nothing is known yet: the instant before which a run has to have begun to be compared with others.
 * The time in which most runs end lies behind it then. By their start alone, because of those that have begun since then the ones that
 * have ended are the short ones. With 30 agents at work all of the newest runs are such, and would hide for ever that a type has changed.
 */
export function settledBefore({ ended: { ok }, activeStartsMs }: DurationSample, nowMs: number): number | undefined {
  if (ok.sorted.size === 0 || activeStartsMs.size === 0) return undefined;
  const settledMs = nowMs - plainPercentile(ok.sorted, SETTLED).seconds * 1000;
  return activeStartsMs.size - activeStartsMs.countAtMost(settledMs) < MANY_BEGUN ? undefined : settledMs;
}

/**
 * Runs that say how long success takes, newest start first: no failed and no abandoned ones. Those among the newest MOST_LISTED. Beside
 * them those that failed meanwhile: they say what becomes of a run that takes long.
 */
async function newestRuns(
  tasks: BasisDeps['tasks'],
  { whose, taskType, untilMs }: BasisInput & { readonly untilMs: number | undefined },
  wanted: number,
): Promise<{ readonly runs: readonly Task[]; readonly failed: readonly Task[] }> {
  const runs: Task[] = [];
  const failed: Task[] = [];
  let after: ListPosition | null = null;
  let listed = 0;
  do {
    const page = await tasks.list({ ...whose, taskType, untilMs }, { limit: wanted, after });
    runs.push(...page.items.filter(({ state, outcome }) => state !== 'abandoned' && outcome !== 'error'));
    failed.push(...page.items.filter(({ outcome }) => outcome === 'error'));
    after = page.next;
    listed += page.items.length;
  } while (after && runs.length < wanted && listed < MOST_LISTED);
  return { runs: runs.slice(0, wanted), failed };
}

/** The longest window whose newest runs are not unlike the others in it. */
function windowOf(runs: readonly Task[], nowMs: number): readonly Task[] {
  const newest = runs.slice(0, NEWEST);
  const isAlike = (size: number) =>
    runs.length >= size && directionOf(newest, othersAmong(runs.slice(NEWEST, size), nowMs), nowMs) === null;
  return runs.slice(0, WINDOWS.find(isAlike) ?? NEWEST);
}

type Counted = Pick<OrderedSample, 'size' | 'countAtMost' | 'countBelow'>;

/** The runs that others are held against. */
interface Others {
  readonly endedOk: Counted;
  readonly cutOff: Counted;
}

/**
 * Whether runs take longer or less long than others. A run that was cut off speaks for neither: where the question is whether they take
 * longer, it counts with the time that it reached, and where it is whether they take less, as longer than any.
 */
function directionOf(runs: readonly Task[], others: Others, nowMs: number): DurationChange['direction'] | null {
  const many = tiedAfterCutOff(others);
  if (runs.length < NEWEST || many.size < NEWEST) return null;
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

/** Whether enough runs ended ok or were cut off to hold the newest against those before. */
function isComparable(sample: DurationSample): boolean {
  return sample.ended.ok.sorted.size + cutOffCount(sample) >= 2 * NEWEST;
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

function othersAmong(runs: readonly Task[], nowMs: number): Others {
  const sorted = (some: readonly Task[]) =>
    orderedSample(Float64Array.from(some, (task) => leastSeconds(task, nowMs)).sort());
  return {
    endedOk: sorted(runs.filter(({ outcome }) => outcome === 'ok')),
    cutOff: sorted(runs.filter(({ outcome }) => outcome !== 'ok')),
  };
}

function sampleOf(runs: readonly Task[]): DurationSample {
  const active = runs.flatMap((task) => (task.state === 'active' ? [task.startedMs] : []));
  return {
    ended: Object.fromEntries(
      OUTCOMES.map((outcome) => [outcome, durationsOf(runs, outcome)]),
    ) as DurationSample['ended'],
    activeStartsMs: numbersOf(active),
    abandonedCount: 0,
    version: 0,
  };
}

function durationsOf(runs: readonly Task[], wanted: Outcome): OutcomeDurations {
  const seconds = runs.flatMap(({ outcome, durationSeconds }) => (outcome === wanted ? (durationSeconds ?? []) : []));
  const moments = new RunningMoments();
  for (const value of seconds) moments.add(value);
  return { sorted: numbersOf(seconds), moments };
}

function numbersOf(values: readonly number[]): SortedNumbers {
  const numbers = new SortedNumbers();
  for (const value of values) numbers.add(value);
  return numbers;
}
