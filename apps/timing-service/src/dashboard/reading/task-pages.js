/** Reads the tasks of a span page by page. */

import { completeSince } from '../state/store.js';

/** 1,000 tasks a page. More than this would be tens of megabytes, and more bars than a screen has room for. */
export const MOST_PAGES = 20;
const DAY_MS = 86_400_000;

/** From when tasks are read for a span: what began a span earlier, or a day, may still have run in it. @param {{ fromMs: number, toMs: number }} span */
export const readFromMs = ({ fromMs, toMs }) => fromMs - Math.min(toMs - fromMs, DAY_MS);

/** @typedef {{ tasks: import('../state/store.js').Task[], completeSinceMs: number }} Page `completeSinceMs`: from when on all tasks are read now */

/**
 * The newest tasks that started in a span, the newest page first.
 * @param {import('./api.js').Api} api @param {{ fromMs: number, toMs: number }} span @param {number} [mostPages]
 * @returns {AsyncGenerator<Page>}
 */
export async function* taskPages(api, { fromMs, toMs }, mostPages = MOST_PAGES) {
  const [since, until] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
  /** @type {string | null} */ let cursor = null;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const page = await api.tasksBetween(since, until, cursor);
    cursor = page.next_cursor;
    yield { tasks: page.tasks, completeSinceMs: completeSince(page, fromMs) };
    if (cursor === null) return;
  }
}
