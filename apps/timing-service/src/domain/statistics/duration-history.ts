import type { OrderedSample, RunningMoments } from '@agent-faculties/stats-math';
import type { Outcome } from '../task.ts';
import type { Whose } from '../whose.ts';
import type { Question } from './bucketed-numbers.ts';

/** Durations in seconds of tasks that ended with one outcome. */
export interface OutcomeDurations {
  readonly sorted: OrderedSample & Iterable<number>;
  readonly moments: RunningMoments;
}

/** Asked of the durations of one outcome. */
export interface DurationQuestion {
  readonly outcome: Outcome;
  readonly question: Question;
}

/** What is known about the durations of one task type. */
export interface DurationSample {
  readonly ended: Readonly<Record<Outcome, OutcomeDurations>>;
  /** Starts of the running tasks, epoch milliseconds, ascending. */
  readonly activeStartsMs: OrderedSample & Iterable<number>;
  readonly abandonedCount: number;
  /** Grows with every change. */
  readonly version: number;
  /**
   * Only where there are so many durations that they are in buckets: whole microseconds, or counts, in the order of the questions; null
   * where the store cannot say now.
   */
  readonly lookUp?: (questions: readonly DurationQuestion[]) => Promise<readonly number[] | null>;
}

/** The longest of them; 0 without any. */
export function longestIn({ sorted }: Pick<OutcomeDurations, 'sorted'>): number {
  return sorted.size === 0 ? 0 : sorted.at(sorted.size - 1);
}

/** How many tasks were cut off: they timed out or were cancelled. */
export function cutOffCount({ ended }: DurationSample): number {
  return ended.timeout.sorted.size + ended.cancelled.sorted.size;
}

export interface DurationHistory {
  /** The live sample: it goes on changing with every write, unless its durations are in buckets. */
  sample(whose: Whose, taskType: string): Promise<DurationSample>;
  /** A sample of the tasks that started at or after an instant; read from the database each time. */
  sampleSince(whose: Whose, taskType: string, sinceMs: number): Promise<DurationSample>;
}
