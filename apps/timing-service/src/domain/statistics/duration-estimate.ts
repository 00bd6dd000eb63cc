import type { EventStore } from '../event.ts';
import type { TaskStore } from '../task.ts';
import type { Whose } from '../whose.ts';
import type { DurationHistory } from './duration-history.ts';
import type { DurationChange } from './recent-runs.ts';
import type { SimilarType } from './unseen-type.ts';

/** How long a task will take. */
export interface DurationEstimate {
  /** history: of this type; similar_names: types with words in common; other_types: without any; own_estimate: what was sent, corrected. */
  readonly source: 'history' | 'similar_names' | 'other_types' | 'own_estimate' | 'none';
  /** Whose tasks it rests on. */
  readonly of: 'agent' | 'all' | null;
  readonly seconds: number | null;
  /** Null ends where too little is known. */
  readonly interval: readonly [number | null, number | null];
  /** The share of future runs that end ok and lie in the interval; null without one. */
  readonly coverage: number | null;
  /** Tasks, of all types, that it rests on. */
  readonly sampleCount: number;
  readonly similar: readonly (SimilarType & { readonly medianSeconds: number; readonly count: number })[];
  /** Actual by estimated seconds, as it usually is. */
  readonly ratio: number | null;
  /** The greatest relative error of the durations behind the estimate; 0: they are exact. */
  readonly error: number;
  /** Of the history that it rests on; null where its newest runs are like those before. */
  readonly change: DurationChange | null;
}

export interface EstimateDeps {
  readonly history: DurationHistory;
  readonly events: EventStore;
  readonly tasks: TaskStore;
}

export interface EstimateInput {
  readonly whose: Whose;
  readonly taskType: string;
  /** What the agent thinks itself. */
  readonly estimatedSeconds: number | null;
  readonly nowMs: number;
}

export const NO_ESTIMATE: DurationEstimate = {
  source: 'none',
  of: null,
  seconds: null,
  interval: [null, null],
  coverage: null,
  sampleCount: 0,
  similar: [],
  ratio: null,
  error: 0,
  change: null,
};
