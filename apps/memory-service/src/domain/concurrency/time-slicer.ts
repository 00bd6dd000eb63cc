import type { Clock, Steps } from '@agent-faculties/service-kit';

/** Work between two rests: a request waits for one such piece at most. */
const WORK_MS = 2;

export interface TimeSlicerOptions {
  readonly clock: Clock;
  /** Lets others have the event loop. */
  readonly pause: () => Promise<void>;
  /** Whether the work is to end as soon as it can. */
  readonly isStopped: () => boolean;
}

/** The work was told to stop before it was done; what it has done so far holds. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

/** Cuts long work into short pieces. */
export class TimeSlicer {
  readonly #options: TimeSlicerOptions;
  #startedAt: number;

  constructor(options: TimeSlicerOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
  }

  /** Whether the piece has been long enough. */
  get isDue(): boolean {
    return this.#options.clock.now() - this.#startedAt >= WORK_MS;
  }

  /** Does a piece of work for each, with rests between them. @throws StoppedError */
  async each<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
    for (const item of items) {
      if (this.isDue) await this.rest();
      work(item);
    }
  }

  /** Takes one step after the other, with rests between them. @throws StoppedError */
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
