/** What the timeline says in words: why it is empty, and what it does not show. */

import { TASKS_A_PAGE } from '../reading/api.js';
import { MOST_PAGES } from '../reading/task-pages.js';
import { formatMoment } from '../shared/instant.js';
import { html } from '../shared/template.js';
import { RANGES } from '../state/view-state.js';

/** @param {import('../state/store.js').Store} store @param {import('../state/view-state.js').ViewState} view @param {import('../reading/past-tasks.js').PastTasks | null} past */
export function emptyText(store, { range }, past) {
  if (past === null) return store.loaded ? `No task in the last ${RANGES[range]?.label}.` : '';
  if (!past.loaded) return 'Reading …';
  return past.problem === '' ? 'No task in this time.' : past.problem;
}

/** @param {number} completeSinceMs @param {{ isReading: boolean, count: number }} reading how many are read */
export function cutText(completeSinceMs, { isReading, count }) {
  const before = `what began before ${formatMoment(completeSinceMs)}`;
  const isFull = count >= (MOST_PAGES - 1) * TASKS_A_PAGE;
  const reason = isFull ? `of a range the newest ${MOST_PAGES},000 tasks are read` : 'it could not be read';
  return html`<p class="card-foot">${isReading ? `Reading ${before} …` : `Not shown is ${before}: ${reason}.`}</p>`;
}

export const densityText = () =>
  html`<p class="card-foot">Where a lane is too full for a bar each, a column counts the tasks that started in its time, the failed ones below. Click a column to come closer.</p>`;
