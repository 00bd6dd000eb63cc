/** Reads all that the page shows, as at its start and wherever too much was missed. */

import { isServerTimeKnown, nowMs } from '../shared/clock.js';
import { replaceStopwatches, replaceTasks } from '../state/store.js';
import { spanOf } from '../state/view-state.js';
import { readFromMs } from './task-pages.js';

/**
 * @param {import('./session.js').Session} session @param {import('../state/view-state.js').ViewState} view
 * @param {import('../state/store.js').EventFilter} eventFilter
 * @returns {Promise<number>} from when on tasks were asked for: of more than a page, the newest are read
 */
export async function readEverything({ api, store }, view, eventFilter) {
  // What time it is is told by an answer, the first one for all.
  const asked = isServerTimeKnown() ? api.agents() : await api.agents();
  const fromMs = readFromMs(spanOf({ ...view, until: null }, nowMs()));
  const [agents, projects, durations, taskTypes, active, recent, page] = await Promise.all([
    asked,
    api.projects(),
    api.durations(),
    api.taskTypes(),
    api.activeTasks(),
    api.tasksSince(new Date(fromMs).toISOString()),
    api.events(eventFilter),
  ]);
  const stopwatches = await api.stopwatches(agents);
  const { summaries, without_ok: withoutOk } = durations;
  Object.assign(store, { agents, projects, summaries, withoutOk, taskTypes });
  Object.assign(store, { events: page.events, eventsCursor: page.next_cursor });
  replaceTasks(store, { active, recent, fromMs });
  replaceStopwatches(store, stopwatches);
  store.loaded = true;
  return fromMs;
}
