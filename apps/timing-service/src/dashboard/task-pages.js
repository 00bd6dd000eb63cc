/** Reads the tasks of a span page by page. */

import { completeSince } from './store.js';

/** 1,000 tasks a page. */
export const MOST_PAGES = 5;

/**
 * The newest tasks that started in a span.
 * @param {import('./api.js').Api} api @param {number} fromMs @param {number} toMs
 */
export async function tasksBetween(api, fromMs, toMs) {
  const [since, until] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
  /** @type {import('./store.js').Task[]} */ const tasks = [];
  /** @type {string | null} */ let cursor = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page = await api.tasksBetween(since, until, cursor);
    tasks.push(...page.tasks);
    cursor = page.next_cursor;
    if (cursor === null) break;
  }
  return { tasks, completeSinceMs: completeSince(tasks, cursor) };
}
