import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@agent-faculties/service-kit';
import type { ChangeFeed } from './change-feed.ts';
import { secondsBetween } from './instant.ts';
import type { ListPosition } from './page.ts';
import type { DurationHistory } from './statistics/duration-history.ts';
import { plainPercentile } from './statistics/percentile.ts';
import type { Task, TaskStore } from './task.ts';

/** A task is given up after this many times the p99 of its type, or what its agent expects it to take. */
const FACTOR = 10;
const BATCH = 200;

export interface AbandonmentDeps {
  readonly clock: Clock;
  readonly tasks: TaskStore;
  readonly history: DurationHistory;
  readonly feed: ChangeFeed;
}

/**
 * Marks tasks as abandoned that run for longer than max(`abandonAfterSeconds`, 10 x p99 of their type, 10 x their estimate). A forgotten
 * start says nothing of how long the work takes, so it must leave the statistics; a late end still closes the task.
 * @param options.onAbandoned called with the correlation ids of those that were marked, batch by batch
 * @returns how many were marked
 */
export async function abandonForgottenTasks(
  deps: AbandonmentDeps,
  {
    abandonAfterSeconds,
    onAbandoned,
  }: { abandonAfterSeconds: number; onAbandoned: (correlationIds: readonly string[]) => void },
): Promise<number> {
  const nowMs = deps.clock.now();
  let abandoned = 0;
  let after: ListPosition | null = null;
  do {
    const startedBeforeMs = nowMs - abandonAfterSeconds * 1000;
    const page = await deps.tasks.activeSince({ startedBeforeMs, limit: BATCH, after });
    const forgotten: string[] = [];
    for (const task of page.items) {
      if (await isForgotten(deps.history, task, nowMs)) forgotten.push(task.correlationId);
    }
    const changed = forgotten.length > 0 ? await deps.tasks.abandon(forgotten, nowMs) : [];
    for (const task of changed) {
      deps.feed.publish({ kind: 'abandoned', agentId: task.agentId, project: task.project, task });
    }
    onAbandoned(changed.map(({ correlationId }) => correlationId));
    abandoned += changed.length;
    after = page.next;
    await nextTurn();
  } while (after);
  return abandoned;
}

async function isForgotten(history: DurationHistory, task: Task, nowMs: number): Promise<boolean> {
  const usual = await usualSeconds(history, task);
  return secondsBetween(task.startedMs, nowMs) > FACTOR * Math.max(usual, task.estimatedSeconds ?? 0);
}

/** The p99 of the agent's runs, or of those of all agents where it has none; 0 where nobody has. */
async function usualSeconds(history: DurationHistory, { agentId, taskType }: Task): Promise<number> {
  for (const whose of [agentId, null]) {
    // Of the ended tasks alone: with the forgotten ones as evidence no task would ever be too old.
    const { sorted } = (await history.sample({ agentId: whose, project: null }, taskType)).ended.ok;
    if (sorted.size > 0) return plainPercentile(sorted, 0.99).seconds;
  }
  return 0;
}
