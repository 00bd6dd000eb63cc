import { type OrderedSample, orderedSample, RunningMoments, rankSumZ } from '@agent-faculties/stats-math';
import type { DurationHistory, DurationSample, OutcomeDurations } from './duration-history.ts';
import { secondsBetween } from './instant.ts';
import type { ListPosition } from './page.ts';
import { SortedNumbers } from './sorted-numbers.ts';
import { OUTCOMES, type Outcome, type Task, type TaskStore } from './task.ts';
import type { Whose } from './whose.ts';

/** The newest runs that are held against those before. From 20 and 20 on, the normal distribution of the test is close. */
const NEWEST = 20;
/** How many runs an answer may rest on when the newest are unlike the whole history; tried from the longest on. */
const WINDOWS = [160, 80, 40] as const;
/** 0.5 % of the standard normal distribution lie above: of 100 types that have not changed, one is taken for changed. */
const UNLIKE_Z = 2.5758;
/** A window in which fewer ended ok says less than the whole history. */
const LEAST_ENDED = 5;
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

const known = new WeakMap<DurationSample, { readonly version: number; readonly basis: Promise<Basis> }>();

/**
 * The history of a type; or the newest runs, where they are unlike those before, because then the whole history describes neither how
 * long it took nor how long it takes. They are the longest of a few windows in which the newest are not unlike the rest. Adaptive windows
 * are those of Bifet and Gavalda (2007, Learning from time-changing data with adaptive windowing), here with the rank-sum test, since
 * durations are skewed. Lists tasks once after each change of the sample.
 */
export async function basisOf(deps: BasisDeps, input: BasisInput): Promise<Basis> {
  const sample = await deps.history.sample(input.whose, input.taskType);
  if (sizeOf(finished(sample)) < 2 * NEWEST) return { sample, change: null };
  const last = known.get(sample);
  if (last?.version === sample.version) return last.basis;
  const basis = adapted(deps, sample, input);
  known.set(sample, { version: sample.version, basis });
  basis.catch(() => known.delete(sample));
  return basis;
}

/** Only where the newest runs take longer: a timeout from runs that happened to be short would cut off the next one of usual length. */
export async function basisOfTimeout(deps: BasisDeps, input: BasisInput): Promise<Basis> {
  const basis = await basisOf(deps, input);
  if (basis.change?.direction !== 'faster') return basis;
  return { sample: await deps.history.sample(input.whose, input.taskType), change: null };
}

async function adapted({ tasks }: BasisDeps, sample: DurationSample, input: BasisInput): Promise<Basis> {
  const newest = await newestRuns(tasks, input, NEWEST);
  const direction = directionOf(newest, without(finished(sample), newest), input.nowMs);
  if (direction === null) return { sample, change: null };
  const window = windowOf(await newestRuns(tasks, input, WINDOWS[0]), input.nowMs);
  const recent = sampleOf(window);
  if (recent.ended.ok.sorted.size < LEAST_ENDED) return { sample, change: { direction, since: null } };
  const startMs = Math.min(...window.map((task) => task.startedMs));
  return { sample: recent, change: { direction, since: { startMs, runs: window.length } } };
}

/** Runs that say how long success takes, newest start first: no failed and no abandoned ones. */
async function newestRuns(
  tasks: BasisDeps['tasks'],
  { whose, taskType }: BasisInput,
  wanted: number,
): Promise<readonly Task[]> {
  const runs: Task[] = [];
  let after: ListPosition | null = null;
  do {
    const page = await tasks.list({ ...whose, taskType }, { limit: wanted, after });
    runs.push(...page.items.filter(({ state, outcome }) => state !== 'abandoned' && outcome !== 'error'));
    after = page.next;
  } while (after && runs.length < wanted);
  return runs.slice(0, wanted);
}

/** The longest window whose newest runs are not unlike the others in it. */
function windowOf(runs: readonly Task[], nowMs: number): readonly Task[] {
  const newest = runs.slice(0, NEWEST);
  const isAlike = (size: number) => {
    const others = runs.slice(NEWEST, size);
    if (runs.length < size) return false;
    const sorted = orderedSample(Float64Array.from(others, (task) => leastSeconds(task, nowMs)).sort());
    return directionOf(newest, sorted, nowMs) === null;
  };
  return runs.slice(0, WINDOWS.find(isAlike) ?? NEWEST);
}

type Counted = Pick<OrderedSample, 'size' | 'countAtMost' | 'countBelow'>;

/** Whether runs take longer or less long than others. What was cut off counts for neither: as short for longer, as long for less. */
function directionOf(runs: readonly Task[], others: Counted, nowMs: number): DurationChange['direction'] | null {
  if (runs.length < NEWEST || others.size < NEWEST) return null;
  if (rankSumZ({ few: runs.map((task) => leastSeconds(task, nowMs)), many: others }) > UNLIKE_Z) return 'slower';
  return rankSumZ({ few: runs.map(mostSeconds), many: others }) < -UNLIKE_Z ? 'faster' : null;
}

function leastSeconds({ durationSeconds, startedMs }: Task, nowMs: number): number {
  return durationSeconds ?? secondsBetween(startedMs, nowMs);
}

function mostSeconds({ outcome, durationSeconds }: Task): number {
  return outcome === 'ok' ? (durationSeconds ?? FOREVER_SECONDS) : FOREVER_SECONDS;
}

/** How long runs took until they ended ok or were cut off. */
function finished({ ended }: DurationSample): readonly Counted[] {
  return [ended.ok.sorted, ended.timeout.sorted, ended.cancelled.sorted];
}

function sizeOf(samples: readonly Counted[]): number {
  return samples.reduce((sum, { size }) => sum + size, 0);
}

/** All but the runs that are given, which are among them. */
function without(samples: readonly Counted[], runs: readonly Task[]): Counted {
  const own = orderedSample(Float64Array.from(runs.flatMap((task) => task.durationSeconds ?? [])).sort());
  const count = (of: (one: Counted) => number) => samples.reduce((sum, one) => sum + of(one), 0) - of(own);
  return {
    size: count(({ size }) => size),
    countAtMost: (value) => count((one) => one.countAtMost(value)),
    countBelow: (value) => count((one) => one.countBelow(value)),
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
