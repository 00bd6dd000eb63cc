/** Reads the rest of a range, behind the newest page of its tasks. */

import { addOlderTasks } from '../state/store.js';
import { TASKS_A_PAGE } from './api.js';
import { MOST_PAGES, taskPages } from './task-pages.js';

export class OlderTasks {
  #view;
  #onChange;
  /** Counts the readings: a newer one ends those before. */ #reading = 0;

  /** @param {import('../state/view-state.js').ViewState} view @param {() => void} onChange */
  constructor(view, onChange) {
    this.#view = view;
    this.#onChange = onChange;
  }

  /** @param {import('./session.js').Session} session @param {number} fromMs where the range begins */
  async read(session, fromMs) {
    const { store } = session;
    this.#reading += 1;
    const turn = this.#reading;
    const isLast = () => !session.isOver && turn === this.#reading;
    const isWanted = () => isLast() && this.#view.until === null && store.completeSinceMs > fromMs;
    store.isReading = isWanted();
    try {
      if (isWanted() && !(await this.#readPages(session, fromMs, isWanted))) return;
    } catch {
      // What is not read is marked as that; the next reading of everything tries again.
    }
    if (!isLast()) return;
    store.isReading = false;
    this.#onChange();
  }

  /** @param {import('./session.js').Session} session @param {number} fromMs @param {() => boolean} isWanted @returns {Promise<boolean>} whether it came to the end */
  async #readPages({ api, store }, fromMs, isWanted) {
    // The service knows fractions of a millisecond.
    const span = { fromMs, toMs: store.completeSinceMs + 1 };
    const left = MOST_PAGES - Math.floor(store.tasks.size / TASKS_A_PAGE);
    for await (const page of taskPages(api, span, left)) {
      if (!isWanted()) return false;
      addOlderTasks(store, page);
      this.#onChange();
    }
    return true;
  }
}
