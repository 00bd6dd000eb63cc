/** One choice of agent and project: the requests in its name, and what they brought. Another choice begins another one. */

import { createStore } from '../state/store.js';
import { createApi } from './api.js';

export class Session {
  #requests = new AbortController();

  /**
   * @param {Parameters<typeof createApi>[0]} view
   * @param {Partial<import('../state/store.js').Store>} [known] what holds for the other choice as well
   */
  constructor(view, known = {}) {
    this.api = createApi(view, this.#requests.signal);
    this.store = Object.assign(createStore(), known);
  }

  /** Ends its requests. What still comes in reaches nobody. */
  end() {
    this.#requests.abort();
  }

  get isOver() {
    return this.#requests.signal.aborted;
  }
}
