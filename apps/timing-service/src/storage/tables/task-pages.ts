import { PAGE_BYTES, type Page } from '../../domain/page.ts';
import type { ActiveTask, Task } from '../../domain/task.ts';
import { type EventRow, eventOf, type TaskRow, taskOf } from './rows.ts';

/** Tasks with their starts, fewer where the metadata of these is much. */
export function withStarts(
  tasks: readonly Task[],
  startOf: (correlationId: string) => EventRow | undefined,
): ActiveTask[] {
  const active: ActiveTask[] = [];
  let bytes = 0;
  for (const task of tasks) {
    const row = startOf(task.correlationId);
    active.push({ task, start: row ? eventOf(row) : null });
    bytes += row?.metadata?.length ?? 0;
    if (bytes > PAGE_BYTES) break;
  }
  return active;
}

/** A page in the order of starts, oldest first; where it is full, more may follow. */
export function pageByStart(rows: readonly TaskRow[], limit: number): Page<Task> {
  const last = rows.at(-1);
  const next = last && rows.length === limit ? { timeUs: last.startedUs, sequence: last.sequence } : null;
  return { items: rows.map(taskOf), next };
}
