import { RunningMoments } from '@agent-faculties/stats-math';
import type { ListPosition } from '../page.ts';
import { OUTCOMES, type Outcome, type Task, type TaskStore } from '../task.ts';
import type { Whose } from '../whose.ts';
import type { DurationSample, OutcomeDurations } from './duration-history.ts';
import { plainPercentile } from './percentile.ts';
import { SortedNumbers } from './sorted-numbers.ts';

/** The share of runs that have ended when one is old enough to be compared. */
const SETTLED = 0.95;
/** Of the newest runs, fewer that have just begun hide nothing. One agent has one, and none of its last runs is to be left out for that. */
const MANY_BEGUN = 5;
/** Tasks that are looked through for the newest runs; listing so many takes 15 ms. A type may have failed a million times since. */
const MOST_LISTED = 1_000;

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

interface Wanted {
  readonly whose: Whose;
  readonly taskType: string;
  /** Those that began before; see `settledBefore`. */
  readonly untilMs: number | undefined;
}

/**
 * Runs that say how long success takes, newest start first: no failed and no abandoned ones. Those among the newest MOST_LISTED. Beside
 * them those that failed meanwhile: they say what becomes of a run that takes long.
 */
export async function newestRuns(
  tasks: Pick<TaskStore, 'list'>,
  { whose, taskType, untilMs }: Wanted,
  count: number,
): Promise<{ readonly runs: readonly Task[]; readonly failed: readonly Task[] }> {
  const runs: Task[] = [];
  const failed: Task[] = [];
  let after: ListPosition | null = null;
  let listed = 0;
  do {
    const page = await tasks.list({ ...whose, taskType, untilMs }, { limit: count, after });
    runs.push(...page.items.filter(({ state, outcome }) => state !== 'abandoned' && outcome !== 'error'));
    failed.push(...page.items.filter(({ outcome }) => outcome === 'error'));
    after = page.next;
    listed += page.items.length;
  } while (after && runs.length < count && listed < MOST_LISTED);
  return { runs: runs.slice(0, count), failed };
}

/** What would be known of a type that had no other runs. */
export function sampleOfRuns(runs: readonly Task[]): DurationSample {
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
