/** What the timeline says in words: why it is empty, and what it does not show. */

import { TASKS_A_PAGE } from '../reading/api.js';
import { MOST_PAGES } from '../reading/task-pages.js';
import { formatMoment } from '../shared/instant.js';
import { html } from '../shared/template.js';
import { RANGES, WEEK } from '../state/view-state.js';

/** @param {import('../state/store.js').Store} store @param {import('../state/view-state.js').ViewState} view @param {import('../reading/past-tasks.js').PastTasks | null} past */
export function emptyText(store, { range }, past) {
  const time = range === WEEK ? 'this week' : `the last ${RANGES[range]?.label}`;
  if (past === null) return store.loaded ? `No task in ${time}.` : '';
  if (!past.loaded) return 'Reading …';
  return past.problem === '' ? 'No task in this time.' : past.problem;
}

/** @param {number} completeSinceMs @param {{ isReading: boolean, count: number, isCounted: boolean }} reading `count`: how many are read; `isCounted`: the others are, by day */
export function cutText(completeSinceMs, { isReading, count, isCounted }) {
  const before = `what began before ${formatMoment(completeSinceMs)}`;
  if (isReading) return note(`Reading ${before} …`);
  const isFull = count >= (MOST_PAGES - 1) * TASKS_A_PAGE;
  const reason = isFull ? `of a range the newest ${MOST_PAGES},000 tasks are read` : 'it could not be read';
  return note(isCounted ? `Counted by day is ${before}: ${reason}.` : `Not shown is ${before}: ${reason}.`);
}

/** @param {string} text */
const note = (text) => html`<p class="card-foot">${text}</p>`;

export const densityText = () =>
  html`<p class="card-foot">Where a lane is too full for a bar each, a column counts the tasks that started in its time, the failed ones below. Click a column to come closer.</p>`;
