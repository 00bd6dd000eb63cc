/** The tasks of a span that has passed. The store holds those of the last range only, which change. */

import { spanOf } from '../state/view-state.js';
import { readFromMs, taskPages } from './task-pages.js';

/** @typedef {{ loaded: boolean, tasks: import('../state/store.js').Task[], completeSinceMs: number, isReading: boolean, problem: string }} PastTasks */

/** @param {() => void} onChange */
export function createPastTasks(onChange) {
  /** @type {import('./api.js').Api | undefined} */ let asked;
  let askedSpan = '';
  /** @type {PastTasks} */ let past;

  /** @param {import('./api.js').Api} api @param {import('../state/view-state.js').ViewState} view @param {PastTasks} into */
  async function read(api, view, into) {
    const span = spanOf(view, 0);
    try {
      for await (const page of taskPages(api, { fromMs: readFromMs(span), toMs: span.toMs })) {
        if (into !== past) return;
        into.tasks.push(...page.tasks);
        Object.assign(into, { completeSinceMs: page.completeSinceMs, loaded: true });
        onChange();
      }
    } catch (error) {
      into.problem = error instanceof Error ? error.message : String(error);
    }
    Object.assign(into, { loaded: true, isReading: false });
    if (into === past) onChange();
  }

  return {
    /**
     * What is known of the span of the view; it is read when it is asked for first.
     * @param {import('./api.js').Api} api @param {import('../state/view-state.js').ViewState} view @returns {PastTasks | null} null: the span ends now
     */
    of(api, view) {
      if (view.until === null) {
        asked = undefined;
        return null;
      }
      const key = `${view.range} ${view.until}`;
      if (api === asked && key === askedSpan) return past;
      [asked, askedSpan] = [api, key];
      past = { loaded: false, tasks: [], completeSinceMs: Number.POSITIVE_INFINITY, isReading: true, problem: '' };
      void read(api, view, past);
      return past;
    },
    /** One of the span that was asked for last. @param {string} id */
    find: (id) => (asked === undefined ? undefined : past.tasks.find((task) => task.correlation_id === id)),
  };
}
