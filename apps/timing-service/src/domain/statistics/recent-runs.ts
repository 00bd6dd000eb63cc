import type { Task, TaskStore } from '../task.ts';
import type { Whose } from '../whose.ts';
import { cutOffCount, type DurationHistory, type DurationSample } from './duration-history.ts';
import { newestRuns, sampleOfRuns, settledBefore } from './newest-runs.ts';
import { percentileOf } from './percentile.ts';
import { COMPARED, type Direction, directionAgainst, directionAmong, isComparable } from './run-direction.ts';

/** How many of the newest runs an answer may rest on; tried from the most on, and else it is those that are compared. */
const WINDOWS = [160, 80, 40] as const;
/** A window in which fewer ended ok says less than the whole history. */
const LEAST_ENDED = 5;
/** Of the newest runs, so many that were cut off are no chance, and one alone may have been forgotten. */
const SEVERAL_CUT_OFF = 3;
/** The percentile by which a timeout from the newest runs is held against one from all. */
const TIMEOUT_PERCENTILE = 0.95;

/** The newest runs of a type take longer, or less long, than those before. */
export interface DurationChange {
  readonly direction: Direction;
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

/**
 * What an estimate rests on: the history of a type; or the newest runs, where they are unlike those before, because then the whole history
 * describes neither how long it took nor how long it takes. Lists tasks once after each change of the sample.
 */
export async function basisOf(deps: BasisDeps, input: BasisInput): Promise<Basis> {
  const sample = await deps.history.sample(input.whose, input.taskType);
  if (!isComparable(sample) && cutOffCount(sample) < SEVERAL_CUT_OFF) {
    return { sample, change: null, newestCutOffAfter: null };
  }
  const last = known.get(sample);
  if (last?.version === sample.version) return last.basis;
  const basis = findBasis(deps.tasks, sample, input);
  known.set(sample, { version: sample.version, basis });
  basis.catch(() => known.delete(sample));
  return basis;
}

const known = new WeakMap<DurationSample, { readonly version: number; readonly basis: Promise<Basis> }>();

/**
 * What a timeout rests on: the newest runs only where they take longer. From runs that happened to be short it would cut off the next one
 * of usual length. So would one from runs of which many were cut off or still run, as after a crash of all agents, where those that ended
 * were short.
 */
export async function basisOfTimeout(deps: BasisDeps, input: BasisInput): Promise<Basis> {
  const basis = await basisOf(deps, input);
  const { change } = basis;
  if (change === null || isOutgrown(change)) return basis;
  const all = await deps.history.sample(input.whose, input.taskType);
  if (change.direction === 'faster') return { ...basis, sample: all, change: null };
  const isShorter = saysLess(basis.sample, all, input.nowMs);
  return isShorter ? { ...basis, sample: all, change: { direction: 'slower', since: null } } : basis;
}

/** Whether the percentile of the newest runs lies beyond everything seen of them, and what was seen is less than that of all. */
function saysLess(newest: DurationSample, all: DurationSample, nowMs: number): boolean {
  const { seconds, isLowerEnd } = percentileOf(newest, TIMEOUT_PERCENTILE, nowMs);
  return isLowerEnd && seconds < percentileOf(all, TIMEOUT_PERCENTILE, nowMs).seconds;
}

async function findBasis(tasks: BasisDeps['tasks'], sample: DurationSample, input: BasisInput): Promise<Basis> {
  const { nowMs } = input;
  const wanted = { ...input, untilMs: settledBefore(sample, nowMs) };
  const { runs: compared } = await newestRuns(tasks, wanted, COMPARED);
  const newestCutOffAfter = cutOffAfter(sinceLastOk(compared));
  const direction = directionAgainst(sample, compared, nowMs);
  if (direction === null) return { sample, change: null, newestCutOffAfter };

  const { runs, failed } = await newestRuns(tasks, wanted, WINDOWS[0]);
  const window = windowOf(runs, nowMs);
  const startMs = Math.min(...window.map((task) => task.startedMs));
  const newest = sampleOfRuns([...window, ...failed.filter((task) => task.startedMs >= startMs)]);
  if (newest.ended.ok.sorted.size < LEAST_ENDED) {
    return { sample, change: { direction, since: null }, newestCutOffAfter: cutOffAfter(compared) };
  }
  return { sample: newest, change: { direction, since: { startMs, runs: window.length } }, newestCutOffAfter };
}

/** Of runs, newest first, those that began after the last one that ended ok. */
function sinceLastOk(runs: readonly Task[]): readonly Task[] {
  const lastOk = runs.findIndex(({ outcome }) => outcome === 'ok');
  return lastOk === -1 ? runs : runs.slice(0, lastOk);
}

/** Seconds that as many as SEVERAL_CUT_OFF of the runs reached before they were cut off; null where fewer were. */
function cutOffAfter(runs: readonly Task[]): number | null {
  const cutOff = runs.flatMap(({ outcome, durationSeconds }) =>
    outcome === 'timeout' || outcome === 'cancelled' ? (durationSeconds ?? []) : [],
  );
  return cutOff.sort((one, other) => other - one)[SEVERAL_CUT_OFF - 1] ?? null;
}

/**
 * The longest window whose newest runs are not unlike the others in it. Adaptive windows are those of Bifet and Gavalda (2007, Learning
 * from time-changing data with adaptive windowing), here with the rank-sum test, since durations are skewed.
 */
function windowOf(runs: readonly Task[], nowMs: number): readonly Task[] {
  const isAlike = (size: number) => runs.length >= size && directionAmong(runs.slice(0, size), nowMs) === null;
  return runs.slice(0, WINDOWS.find(isAlike) ?? COMPARED);
}
