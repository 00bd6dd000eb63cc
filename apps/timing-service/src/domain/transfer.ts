import { InvalidInputError } from '@agent-faculties/service-kit';
import type { TimingEvent } from './event.ts';
import { isFarAhead } from './instant.ts';
import type { Stopwatch } from './stopwatch.ts';
import type { Task } from './task.ts';
import type { Whose } from './whose.ts';

/** One line of an export. */
export type TransferItem =
  | { readonly kind: 'event'; readonly event: TimingEvent }
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'stopwatch'; readonly stopwatch: Stopwatch };

/** `conflict`: the line contradicts what is known of the same task; `full`: the agent has as many stopwatches as it may. Nothing was changed. */
export type TransferOutcome = 'imported' | 'updated' | 'duplicate' | 'conflict' | 'full';

export interface TransferStore {
  /** All events, tasks and stopwatches, in batches, in order of writing. */
  export(whose: Whose): AsyncIterable<TransferItem[]>;
  /** One transaction for the batch. A task that runs or was abandoned takes the end of its ended form; anything else known stays as it is. */
  import(items: TransferItem[]): Promise<TransferOutcome[]>;
}

/** What lies in the future would count among the newest runs of its type until then. */
export const FAR_AHEAD = 'lies more than a day in the future: correct the clock that it is from';

/** @throws InvalidInputError for a line that is from a clock that is far ahead */
export function notFarAhead(nowMs: number, item: TransferItem): TransferItem {
  const late = Object.entries(instantsOf(item)).find(([, atMs]) => atMs !== null && isFarAhead(atMs, nowMs));
  if (late) throw new InvalidInputError(`${late[0]} ${FAR_AHEAD}`);
  return item;
}

/** By the names of their fields in a line. */
function instantsOf(item: TransferItem): Readonly<Record<string, number | null>> {
  switch (item.kind) {
    case 'event':
      return { timestamp: item.event.timestampMs };
    case 'task':
      return { started_at: item.task.startedMs, ended_at: item.task.endedMs, abandoned_at: item.task.abandonedMs };
    case 'stopwatch':
      return { started_at: item.stopwatch.startedMs, stopped_at: item.stopwatch.stoppedMs };
  }
}

/** What is imported in a project: a line without one becomes one of it. @throws InvalidInputError for a line of another project */
export function inProject(project: string | null, item: TransferItem): TransferItem {
  if (project === null) return item;
  switch (item.kind) {
    case 'event':
      return { kind: 'event', event: owned(project, item.event) };
    case 'task':
      return { kind: 'task', task: owned(project, item.task) };
    case 'stopwatch':
      return { kind: 'stopwatch', stopwatch: owned(project, item.stopwatch) };
  }
}

function owned<Item extends { readonly project: string | null }>(project: string, item: Item): Item {
  if (item.project === null || item.project === project) return { ...item, project };
  throw new InvalidInputError(`project is '${item.project}', and what is imported goes to '${project}'`);
}
