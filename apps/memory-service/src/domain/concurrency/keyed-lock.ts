/** A lock for each key: work on one key runs in turn, work on different keys runs side by side. */
export interface Locks {
  /** Runs `work` when all earlier work on the key has ended, in success or failure. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** Locks within this process. */
export class KeyedLock implements Locks {
  readonly #tails = new Map<string, Promise<unknown>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#tails.get(key) ?? Promise.resolve()).then(work);
    // The next work runs whether this one succeeded or failed.
    const tail = turn.catch(() => {});
    this.#tails.set(key, tail);
    try {
      return await turn;
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}
