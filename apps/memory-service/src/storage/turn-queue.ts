import { nextTurn } from './disk/next-turn.ts';

/**
 * Runs work that holds the event loop for milliseconds one piece a turn, in order. Answers for many requests may come in at
 * once; without this the work on all of them, and what follows it, would be one long turn.
 */
export class TurnQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects as the work does, which begins at once when nothing else has run in this turn. */
  run<T>(work: () => T): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.then(nextTurn, nextTurn);
    return done;
  }
}
