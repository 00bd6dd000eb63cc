/** Marks of an axis of time. Pure. */

import { formatDayAndMonth, formatMinute } from './format.js';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/** Steps of marks below a day, which divide it. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * MINUTE_MS);
/** In days. */
const LONG_STEPS = [1, 2, 7, 14, 28, 61, 92, 183, 366];

/**
 * Marks at round times of the reader's time zone.
 * @param {number} since epoch milliseconds @param {number} until @param {number} most how many there is room for
 * @returns {{ share: number, text: string }[]} share: where, from 0 to 1
 */
export function marksBetween(since, until, most) {
  const span = until - since;
  const at = (/** @type {number} */ time, /** @type {string} */ text) => ({ share: (time - since) / span, text });
  const step = STEPS.find((one) => span / one <= most);
  const start = new Date(since);
  if (step !== undefined) {
    const marks = [];
    const midnight = new Date(start.getFullYear(), start.getMonth(), start.getDate()).getTime();
    for (let time = midnight + Math.ceil((since - midnight) / step) * step; time < until; time += step) {
      const isMidnight = new Date(time).getHours() === 0 && new Date(time).getMinutes() === 0;
      marks.push(at(time, isMidnight ? formatDayAndMonth(time) : formatMinute(time)));
    }
    return marks;
  }
  const days = LONG_STEPS.find((one) => span / (one * DAY_MS) <= most) ?? 366;
  const marks = [];
  for (let place = 1; ; place += days) {
    const time = new Date(start.getFullYear(), start.getMonth(), start.getDate() + place).getTime();
    if (time >= until) return marks;
    marks.push(at(time, formatDayAndMonth(time)));
  }
}
