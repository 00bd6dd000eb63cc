import { RunningMoments } from '@agent-faculties/stats-math';
import type { BucketedNumbers } from '../../domain/statistics/bucketed-numbers.ts';
import type { DurationSample } from '../../domain/statistics/duration-history.ts';
import { SortedNumbers } from '../../domain/statistics/sorted-numbers.ts';
import { OUTCOMES, type Outcome, type TaskState } from '../../domain/task.ts';

/** Bytes of an empty sample, so that many tiny ones count too. */
const SAMPLE_OVERHEAD_BYTES = 2_048;

interface OutcomeSample<Numbers> {
  readonly sorted: Numbers;
  readonly moments: RunningMoments;
}

/** A task with the numbers at which it started and was abandoned. */
export interface NumberedTask {
  readonly state: TaskState;
  readonly outcome: Outcome | null;
  readonly startedUs: number;
  readonly durationUs: number | null;
  readonly sequence: number;
  readonly abandonedSequence: number | null;
}

/** A sample in memory, whichever way it holds its durations. */
export class SampleOf<Numbers extends SortedNumbers | BucketedNumbers> implements DurationSample {
  readonly ended: Record<Outcome, OutcomeSample<Numbers>>;
  activeStartsMs = new SortedNumbers();
  abandonedCount = 0;
  version = 0;

  constructor(numbersOf: (outcome: Outcome) => Numbers) {
    const entries = OUTCOMES.map((outcome) => [outcome, { sorted: numbersOf(outcome), moments: new RunningMoments() }]);
    this.ended = Object.fromEntries(entries);
  }

  addDuration(outcome: Outcome, seconds: number): void {
    this.ended[outcome].sorted.add(seconds);
    this.ended[outcome].moments.add(seconds);
    this.version++;
  }

  /**
   * Takes a task in as it is now.
   * @param number up to which the sample knows the task already; null: it does not. Nothing leaves `ended`, so a task that has changed
   * after it was known was active or abandoned then
   */
  add(task: NumberedTask, number: number | null): void {
    const startMs = task.startedUs / 1000;
    if (number !== null && task.sequence <= number) {
      const wasAbandoned = task.abandonedSequence !== null && task.abandonedSequence <= number;
      if (wasAbandoned) this.abandonedCount--;
      else this.activeStartsMs.remove(startMs);
    }
    if (task.state === 'ended') this.addDuration(task.outcome as Outcome, (task.durationUs as number) / 1e6);
    else if (task.state === 'abandoned') this.abandonedCount++;
    else this.activeStartsMs.add(startMs);
    this.version++;
  }

  get bytes(): number {
    const ended = OUTCOMES.reduce((sum, outcome) => sum + this.ended[outcome].sorted.bytes, 0);
    return SAMPLE_OVERHEAD_BYTES + ended + this.activeStartsMs.bytes;
  }
}

/** A sample that holds each duration. */
export class Sample extends SampleOf<SortedNumbers> {
  constructor() {
    super(() => new SortedNumbers());
  }
}
