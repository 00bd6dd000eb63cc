import type { TaskStore, TaskTime, TimesFilter } from '../../../src/domain/task.ts';

/** Everything in batches. */
export async function timeBatches(tasks: Pick<TaskStore, 'times'>, filter: TimesFilter): Promise<TaskTime[][]> {
  const batches: TaskTime[][] = [];
  for await (const batch of tasks.times(filter)) batches.push(batch);
  return batches;
}
