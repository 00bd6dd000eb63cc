/** Lets work on one key run one after the other, and work on different keys side by side. */
export class KeyedLock {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Runs `work` once all earlier work on the key has ended, well or not. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#tails.get(key) ?? Promise.resolve()).then(work);
    // Whoever is next need not know whether it went well.
    const tail = turn.catch(() => {});
    this.#tails.set(key, tail);
    try {
      return await turn;
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}
