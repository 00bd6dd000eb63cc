/** The tasks of a span that has passed. The store holds those of the last range only, which change. */

import { tasksBetween } from './task-pages.js';
import { spanOf } from './url-state.js';

/** @typedef {{ loaded: boolean, tasks: import('./store.js').Task[], completeSinceMs: number | null, problem: string }} PastTasks */

/** @param {() => void} onChange */
export function createPastTasks(onChange) {
  /** @type {import('./api.js').Api | undefined} */ let asked;
  let askedSpan = '';
  /** @type {PastTasks} */ let past;

  /** @param {import('./api.js').Api} api @param {import('./url-state.js').ViewState} view @param {PastTasks} into */
  async function read(api, view, into) {
    const { fromMs, toMs } = spanOf(view, 0);
    try {
      // What began a range earlier may still have run.
      Object.assign(into, await tasksBetween(api, fromMs - (toMs - fromMs), toMs));
    } catch (error) {
      into.problem = error instanceof Error ? error.message : String(error);
    }
    into.loaded = true;
    if (into === past) onChange();
  }

  return {
    /**
     * What is known of the span of the view; it is read when it is asked for first.
     * @param {import('./api.js').Api} api @param {import('./url-state.js').ViewState} view @returns {PastTasks | null} null: the span ends now
     */
    of(api, view) {
      if (view.until === null) {
        asked = undefined;
        return null;
      }
      const key = `${view.range} ${view.until}`;
      if (api === asked && key === askedSpan) return past;
      [asked, askedSpan] = [api, key];
      past = { loaded: false, tasks: [], completeSinceMs: null, problem: '' };
      void read(api, view, past);
      return past;
    },
  };
}
