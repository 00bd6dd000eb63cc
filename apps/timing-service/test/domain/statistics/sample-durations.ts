import { RunningMoments } from '@agent-faculties/stats-math';
import type { DurationSample, OutcomeDurations } from '../../../src/domain/statistics/duration-history.ts';
import { SortedNumbers } from '../../../src/domain/statistics/sorted-numbers.ts';
import { OUTCOMES, type Outcome } from '../../../src/domain/task.ts';
import { STARTED_MS } from '../sample-task.ts';

/** Seconds of ended tasks by outcome, and elapsed seconds at STARTED_MS of running ones; in any order. */
export type Durations = Partial<Record<Outcome | 'active', readonly number[]>> & { readonly abandoned?: number };

/** A sample that can be added to, as a live one is. */
export class LiveSample implements DurationSample {
  readonly ended: Record<Outcome, OutcomeDurations & { readonly sorted: SortedNumbers }>;
  readonly activeStartsMs = new SortedNumbers();
  readonly abandonedCount: number;
  version = 0;

  constructor({ active = [], abandoned = 0, ...ended }: Durations) {
    const empty = () => ({ sorted: new SortedNumbers(), moments: new RunningMoments() });
    this.ended = { ok: empty(), error: empty(), timeout: empty(), cancelled: empty() };
    this.abandonedCount = abandoned;
    for (const outcome of OUTCOMES) for (const seconds of ended[outcome] ?? []) this.add(outcome, seconds);
    for (const seconds of active) this.activeStartsMs.add(STARTED_MS - seconds * 1_000);
  }

  add(outcome: Outcome, seconds: number): void {
    this.ended[outcome].sorted.add(seconds);
    this.ended[outcome].moments.add(seconds);
    this.version++;
  }
}

export function sampleOf(durations: Durations): LiveSample {
  return new LiveSample(durations);
}

export const ONE_TO_TEN = Object.freeze([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);

/** Whole numbers from 1 on. */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
