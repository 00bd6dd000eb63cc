import type { TimingEvent } from './event.ts';
import type { Stopwatch } from './stopwatch.ts';
import type { Task } from './task.ts';

/** One line of an export. */
export type TransferItem =
  | { readonly kind: 'event'; readonly event: TimingEvent }
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'stopwatch'; readonly stopwatch: Stopwatch };

export type TransferOutcome = 'imported' | 'updated' | 'duplicate';

export interface TransferStore {
  /** All events, tasks and stopwatches, in batches, in order of writing; null exports all agents. */
  export(agentId: string | null): AsyncIterable<TransferItem[]>;
  /** One transaction for the batch. An active task is replaced by its ended form; anything else known stays as it is. */
  import(items: TransferItem[]): Promise<TransferOutcome[]>;
}
