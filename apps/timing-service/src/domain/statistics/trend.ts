import {
  median,
  type OrderedSample,
  orderedSample,
  type RandomSource,
  seededRandom,
  windowDrift,
} from '@agent-faculties/stats-math';
import type { ListPosition } from '../page.ts';
import type { Task, TaskStore } from '../task.ts';
import type { Whose } from '../whose.ts';

/** How many of the newest tasks a trend looks at, unless it is asked for another number. */
export const DEFAULT_TREND_TASKS = 200;
/** Below this many tasks two halves say nothing. */
const LEAST_TASKS = 10;
/** Tasks on each side of a change, as in two halves of the least number. */
const LEAST_ON_A_SIDE = LEAST_TASKS / 2;
/** The running median is over a task and up to eight before it. */
const RUNNING_WINDOW = 9;
/** A ratio of medians needs durations above 0: a microsecond is the resolution of the clock. */
const LEAST_SECONDS = 1e-6;

export interface TrendPoint {
  readonly task: Task;
  readonly durationSeconds: number;
  readonly runningMedian: number;
}

export interface Trend {
  readonly direction: 'faster' | 'slower' | 'steady' | 'unknown';
  /** Since when the type has changed, where that is what was compared; epoch milliseconds. Null: two halves were. */
  readonly sinceMs: number | null;
  /** Recent median by previous median; null below ten tasks and where most of the newest were cut off, like all that follows. */
  readonly ratio: number | null;
  readonly interval: readonly [number | null, number | null];
  readonly probabilitySlower: number | null;
  readonly previousMedian: number | null;
  readonly recentMedian: number | null;
  readonly points: TrendPoint[];
}

/** Beside a direction, where there are no two groups to compare. */
const NOTHING_KNOWN = {
  sinceMs: null,
  ratio: null,
  interval: [null, null],
  probabilitySlower: null,
  previousMedian: null,
  recentMedian: null,
} as const;

/** What is known of the type beside its newest tasks. */
export interface TrendBasis {
  /** A task that began later is not compared: of those, the ones that ended are the short ones. Absent: all are. */
  readonly settledMs: number | undefined;
  /** Start of the first task after a change; null where there was none. */
  readonly sinceMs: number | null;
  /** Durations of all tasks that ended ok. */
  readonly history: OrderedSample;
  /** The newest take longer, and most of them were cut off: those that ended ok do not show it. */
  readonly isOutgrown: boolean;
}

/**
 * The trend of the newest tasks that ended ok; null when there is none.
 * @param options.limit how many tasks, at least 1
 * @param options.sinceMs see `trendOf`
 */
export async function trendOfNewest(
  tasks: Pick<TaskStore, 'list'>,
  { limit, basis, ...wanted }: Whose & { taskType: string; limit: number; basis: TrendBasis },
): Promise<Trend | null> {
  const newest: Task[] = [];
  let after: ListPosition | null = null;
  // Pages may end early when their metadata is large.
  do {
    const filter = { ...wanted, state: 'ended', outcome: 'ok' } as const;
    const page = await tasks.list(filter, { limit: limit - newest.length, after });
    newest.push(...page.items);
    after = page.next;
  } while (after && newest.length < limit);
  return newest.length > 0 ? trendOf(newest.reverse(), basis) : null;
}

/**
 * Compares the newer half of tasks that ended ok with the older half; or those since the type has changed with those before, where
 * there are a few on each side: the median of a half in which one task in three is slower hardly moves. Where these do not differ, the
 * change lies further back than they do, and those since then are compared with the whole history.
 * @param tasks in order of time, oldest first
 */
export function trendOf(tasks: Task[], { settledMs, sinceMs, history, isOutgrown }: TrendBasis): Trend {
  const all = Float64Array.from(tasks, (task) => task.durationSeconds ?? 0);
  const points = tasks.map((task, index) => ({
    task,
    durationSeconds: task.durationSeconds ?? 0,
    runningMedian: medianOf(all.subarray(Math.max(0, index - RUNNING_WINDOW + 1), index + 1)),
  }));
  if (isOutgrown) return { direction: 'slower', ...NOTHING_KNOWN, points };
  if (tasks.length < LEAST_TASKS) return { direction: 'unknown', ...NOTHING_KNOWN, points };
  const begunBefore = (instantMs: number) => tasks.filter(({ startedMs }) => startedMs < instantMs).length;
  const settled = settledMs === undefined ? tasks.length : begunBefore(settledMs);
  const durations = settled < LEAST_TASKS ? all : all.subarray(0, settled);
  const changeAt = sinceMs === null ? 0 : begunBefore(sinceMs);
  const isSplit = Math.min(changeAt, durations.length - changeAt) >= LEAST_ON_A_SIDE;
  const before = durations.subarray(0, isSplit ? changeAt : Math.floor(durations.length / 2));
  const after = durations.subarray(before.length);
  const random = seededRandom(tasks.length);
  const near = compared(before, after, random);
  const since = durations.subarray(changeAt);
  const isFurtherBack = sinceMs !== null && near.direction === 'steady' && since.length >= LEAST_ON_A_SIDE;
  const { previousMedian, recentMedian, ...drift } = isFurtherBack ? compared(ranksOf(history), since, random) : near;
  return {
    direction: drift.direction,
    sinceMs: isSplit || isFurtherBack ? sinceMs : null,
    ratio: drift.ratio,
    interval: [drift.low, drift.high],
    probabilitySlower: drift.probabilityIncreased,
    previousMedian,
    recentMedian,
    points,
  };
}

function compared(before: Float64Array, after: Float64Array, random: RandomSource) {
  const drift = windowDrift({ before: aboveZero(before), after: aboveZero(after), random });
  return { ...drift, previousMedian: medianOf(before), recentMedian: medianOf(after) };
}

function aboveZero(durations: Float64Array): Float64Array {
  return durations.map((seconds) => Math.max(seconds, LEAST_SECONDS));
}

/** Evenly spaced durations of a history, as many as a trend looks at: a million would take too long. */
function ranksOf(history: OrderedSample): Float64Array {
  const ranks = Math.min(history.size, DEFAULT_TREND_TASKS);
  return Float64Array.from({ length: ranks }, (_, index) =>
    history.at(Math.floor(((index + 0.5) * history.size) / ranks)),
  );
}

function medianOf(values: Float64Array): number {
  return median(orderedSample(Float64Array.from(values).sort()));
}
