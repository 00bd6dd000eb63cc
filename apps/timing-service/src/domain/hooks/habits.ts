import type { DurationHistory } from '../statistics/duration-history.ts';
import { summarise } from '../statistics/duration-summary.ts';
import { basisOf } from '../statistics/recent-runs.ts';
import type { TaskStore } from '../task.ts';
import type { Whose } from '../whose.ts';
import { EXCHANGE } from './exchanges.ts';
import type { Habit } from './temporal-line.ts';

/** How many of the newest tasks of the agent show what it does at present. */
const NEWEST = 100;
const MOST_TOLD = 3;
/** Fewer runs say little about the next. */
const LEAST_RUNS = 3;
/** A shorter task needs no plan. */
const LEAST_SECONDS = 5;

export interface HabitDeps {
  readonly tasks: TaskStore;
  readonly history: DurationHistory;
}

/**
 * How long the present task types of the agent take, the longest first: those with a p95 of at least LEAST_SECONDS. If some of them
 * ran in the working directory of this prompt, only those. Where a type has changed, its newest runs tell.
 */
export async function habitsOf(
  { tasks, history }: HabitDeps,
  { cwd, nowMs, ...whose }: Whose & { readonly cwd: string | null; readonly nowMs: number },
): Promise<Habit[]> {
  const { items } = await tasks.list({ ...whose, state: 'ended' }, { limit: NEWEST, after: null });
  const here = new Set<string>();
  const types = new Set<string>();
  for (const { taskType, metadata } of items) {
    if (taskType === EXCHANGE) continue;
    types.add(taskType);
    if (cwd !== null && (metadata as { cwd?: unknown } | null)?.cwd === cwd) here.add(taskType);
  }
  const known: Habit[] = [];
  for (const taskType of here.size > 0 ? here : types) {
    const { sample, change } = await basisOf({ history, tasks }, { whose, taskType, nowMs });
    const summary = summarise(taskType, sample, { outcome: 'ok', nowMs });
    if (!summary || summary.count < LEAST_RUNS || summary.p95.seconds < LEAST_SECONDS) continue;
    const p95Seconds = summary.p95.isLowerEnd ? null : summary.p95.seconds;
    const areNewest = Boolean(change?.since);
    known.push({ taskType, medianSeconds: summary.median, p95Seconds, runs: summary.count, areNewest });
  }
  return known.sort((a, b) => b.medianSeconds - a.medianSeconds).slice(0, MOST_TOLD);
}
