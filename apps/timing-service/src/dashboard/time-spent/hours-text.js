/** Sums of work in hours, also beyond a day. Pure. */

import { formatCount, formatDuration } from '../shared/format.js';

const HOUR = 3600;
const DAY = 24 * HOUR;
/** From here on minutes say nothing. */
const WHOLE_HOURS_FROM = 100 * HOUR;

/** –, 12.3 s, 4 min 05 s, 2 h 10 min, 55 h 12 min, 1,325 h. @param {number} seconds */
export function hoursText(seconds) {
  if (seconds === 0) return '–';
  if (seconds < DAY) return formatDuration(seconds);
  if (seconds >= WHOLE_HOURS_FROM) return `${formatCount(Math.round(seconds / HOUR))} h`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}
