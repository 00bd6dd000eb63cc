import type { TimingEvent } from './event.ts';
import type { Stopwatch } from './stopwatch.ts';
import type { Task } from './task.ts';

/** One line of an export. */
export type TransferItem =
  | { readonly kind: 'event'; readonly event: TimingEvent }
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'stopwatch'; readonly stopwatch: Stopwatch };

/** `conflict`: the line contradicts what is known of the same task, and nothing was changed. */
export type TransferOutcome = 'imported' | 'updated' | 'duplicate' | 'conflict';

export interface TransferStore {
  /** All events, tasks and stopwatches, in batches, in order of writing; null exports all agents. */
  export(agentId: string | null): AsyncIterable<TransferItem[]>;
  /** One transaction for the batch. A task that runs or was abandoned takes the end of its ended form; anything else known stays as it is. */
  import(items: TransferItem[]): Promise<TransferOutcome[]>;
}
