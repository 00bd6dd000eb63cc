import type { ManualClock } from '@agent-faculties/service-kit';
import { ANSWER_LIMIT_MS, type Pause } from '../../src/webhooks/post.ts';

interface Waiting {
  readonly ms: number;
  /** Lets the time pass. */
  readonly over: () => void;
}

/** Pauses that end when a test says so. */
export class ManualPauses {
  readonly #clock: ManualClock;
  /** For answers. */
  readonly limits = new Queue<Waiting>();
  /** Before a next try. */
  readonly retries = new Queue<Waiting>();

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  readonly pause: Pause = (ms, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => reject(signal.reason);
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop);
      const over = () => {
        this.#clock.advance(ms);
        resolve();
      };
      (ms === ANSWER_LIMIT_MS ? this.limits : this.retries).add({ ms, over });
    });
}

class Queue<T> {
  readonly #items: T[] = [];
  #wake = (): void => {};

  add(item: T): void {
    this.#items.push(item);
    this.#wake();
  }

  get size(): number {
    return this.#items.length;
  }

  async next(): Promise<T> {
    while (this.#items.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#items.shift() as T;
  }
}
