/** Which days are compared unless the reader says others. Pure. */

import { calendarDay, startOfDay, startOfWeek } from '../shared/calendar-day.js';
import { RANGES, spanOf, WEEK } from '../state/view-state.js';

const DAY_MS = 86_400_000;
/** A shorter range has too few runs to say what became quicker. */
const FEWEST_DAYS = 7;

/** Days of the reader's calendar as YYYY-MM-DD, both included. @typedef {{ a_from: string, a_to: string, b_from: string, b_to: string }} Days */

/** @param {Days} days @returns {string} as they stand in an address */
export const daysText = ({ a_from, a_to, b_from, b_to }) => [a_from, a_to, b_from, b_to].join();

/** @param {string} text as `daysText` gives it @returns {Days} */
export function daysIn(text) {
  const [a_from = '', a_to = '', b_from = '', b_to = ''] = text.split(',');
  return { a_from, a_to, b_from, b_to };
}

/**
 * The time of the timeline, and as many days before it; of a week of the calendar, the week before.
 * @param {Pick<import('../state/view-state.js').ViewState, 'range' | 'until'>} view @param {number} nowMs @returns {Days}
 */
export function daysCompared(view, nowMs) {
  const { fromMs, toMs } = spanOf(view, nowMs);
  const lastMs = startOfDay(toMs - 1);
  if (view.range === WEEK) return daysFrom(startOfWeek(fromMs - 1), fromMs, lastMs);
  const days = Math.max(FEWEST_DAYS, Math.round((RANGES[view.range]?.ms ?? 0) / DAY_MS));
  return daysFrom(startOfDay(lastMs, 1 - 2 * days), startOfDay(lastMs, 1 - days), lastMs);
}

/** @param {number} beforeMs @param {number} afterMs with which the first range ends @param {number} lastMs the last day @returns {Days} */
const daysFrom = (beforeMs, afterMs, lastMs) => ({
  a_from: calendarDay(beforeMs),
  a_to: calendarDay(afterMs - 1),
  b_from: calendarDay(afterMs),
  b_to: calendarDay(lastMs),
});
