/** Reads a window of the timeline, in as many columns as fit it. */

import { columnsOf } from './time-window.js';

/**
 * A window that the address leaves open is as wide as there is something, which the first answer says.
 * @param {import('../reading/api.js').Api} api @param {import('../state/view-state.js').Times} times @param {number} most columns
 */
export async function readTimeline(api, { since, until, as_of }, most) {
  const held = as_of === '' ? {} : { as_of };
  const fitting = (/** @type {string} */ from, /** @type {string} */ to) =>
    columnsOf(Date.parse(to) - Date.parse(from), most);
  const isKnown = since !== '' && until !== '';
  const buckets = isKnown ? fitting(since, until) : most;
  const answer = await api.timeline({ ...(since && { since }), ...(until && { until }), ...held, buckets });
  const fits = fitting(answer.since, answer.until) === buckets;
  if (isKnown || fits || answer.points !== null) return answer;
  const { since: first, until: last } = answer;
  return await api.timeline({ since: first, until: last, ...held, buckets: fitting(first, last) });
}
