import type { Clock, Steps } from '@agent-faculties/service-kit';

/** Length of a slice: a request waits for one slice at most. */
const WORK_MS = 2;

export interface TimeSlicerOptions {
  readonly clock: Clock;
  /** Rests between two slices, so that others get the event loop. */
  readonly pause: () => Promise<void>;
  /** Whether the work should end as soon as it can. */
  readonly isStopped: () => boolean;
}

/** The work was stopped before its end. What it has done so far is kept. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

/** Cuts long work into time slices. */
export class TimeSlicer {
  readonly #options: TimeSlicerOptions;
  #startedAt: number;

  constructor(options: TimeSlicerOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
  }

  /** Whether the slice is over. */
  get isDue(): boolean {
    return this.#options.clock.now() - this.#startedAt >= WORK_MS;
  }

  /** Runs work on each item, with rests between slices. @throws StoppedError */
  async each<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
    for (const item of items) {
      if (this.isDue) await this.rest();
      work(item);
    }
  }

  /** Runs the steps of a generator, with rests between slices. @throws StoppedError */
  async through<T>(steps: Steps<T>): Promise<T> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      if (this.isDue) await this.rest();
    }
  }

  /** @throws StoppedError */
  async rest(): Promise<void> {
    await this.#options.pause();
    if (this.#options.isStopped()) throw new StoppedError();
    this.#startedAt = this.#options.clock.now();
  }
}
