/** Runs saves one after the other. Who asks during a save shares the next one with others: it holds all that comes until it begins. */
export class SavesInTurn<Saved> {
  /** Settles when the last requested save has ended, whether it succeeded or failed. */
  #settled: Promise<unknown> = Promise.resolve();
  /** A requested save that has not begun. */
  #waiting: Promise<Saved> | null = null;

  /** @param save of the first who asks; that of others who share it does not run */
  next(save: () => Promise<Saved>): Promise<Saved> {
    if (this.#waiting !== null) return this.#waiting;
    const next = this.#settled.then(() => {
      this.#waiting = null;
      return save();
    });
    this.#waiting = next;
    this.#settled = next.catch(() => {});
    return next;
  }
}
