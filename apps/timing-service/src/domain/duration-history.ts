import type { OrderedSample, RunningMoments } from '@agent-faculties/stats-math';
import type { Outcome } from './task.ts';
import type { Whose } from './whose.ts';

/** Durations in seconds of tasks that ended with one outcome. */
export interface OutcomeDurations {
  readonly sorted: OrderedSample & Iterable<number>;
  readonly moments: RunningMoments;
}

/** What is known about the durations of one task type. */
export interface DurationSample {
  readonly ended: Readonly<Record<Outcome, OutcomeDurations>>;
  /** Starts of the running tasks, epoch milliseconds, ascending. */
  readonly activeStartsMs: OrderedSample & Iterable<number>;
  readonly abandonedCount: number;
  /** Grows with every change. */
  readonly version: number;
}

export interface DurationHistory {
  /** The live sample: it goes on changing with every write. */
  sample(whose: Whose, taskType: string): Promise<DurationSample>;
  /** A sample of the tasks that started at or after an instant; read from the database each time. */
  sampleSince(whose: Whose, taskType: string, sinceMs: number): Promise<DurationSample>;
}
