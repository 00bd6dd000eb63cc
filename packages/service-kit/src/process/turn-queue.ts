import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Runs work that blocks the event loop for milliseconds, in order and one piece in each turn. Without it, the work for many
 * requests whose answers arrive together would be one long turn.
 */
export class TurnQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects as the work does. The work begins at once when nothing else has run in this turn. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.then(afterOthers, afterOthers);
    return done;
  }
}

/** What is put off while the event loop looks for input runs before it looks again: that is no turn for anybody else yet. */
async function afterOthers(): Promise<void> {
  await nextTurn();
  await nextTurn();
}
