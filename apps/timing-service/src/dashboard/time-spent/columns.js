/** The time of a range as a column for each day, stacked by group, with a mark at the time in which anything ran. */

import { alternative } from '../shared/alternative.js';
import { calendarDay, startOfDay } from '../shared/calendar-day.js';
import { fewSeries, stackedColumns } from '../shared/chart.js';
import { formatCount } from '../shared/format.js';
import { hoursText } from './hours-text.js';
import { byDay, groupsOf, seriesOf, unitFor } from './sums.js';

/** @typedef {import('../reading/time-spent-reader.js').Days} Days */

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });

/** The days of a range, of the reader's calendar. @param {{ fromMs: number, toMs: number }} range @returns {number[]} their first instants */
export function daysOf({ fromMs, toMs }) {
  const days = [];
  for (let dayMs = startOfDay(fromMs); dayMs < toMs; dayMs = startOfDay(dayMs, 1)) days.push(dayMs);
  return days;
}

/**
 * @param {import('../reading/time-spent-reader.js').TimeSpent & { days: Days }} spent
 * @param {{ cursor: number | null, onCursor: (column: number | null) => void, onOpen: (column: number) => void }} how
 */
export function dayColumns({ days: { sums, parts }, groups, by, ...range }, how) {
  const days = daysOf(range);
  const names = days.map(calendarDay);
  const totals = byDay(sums, names, 'spent_seconds');
  const series = parts === null ? [{ name: 'all', values: totals }] : seriesOf(groupsOf(groups, by), parts, by, names);
  // Outcomes are few, and keep their colours by their order.
  const few = by === 'outcome' ? series : fewSeries(series);
  const unit = unitFor(Math.max(0, ...totals));
  const inUnit = (/** @type {number} */ seconds) => seconds / unit.seconds;
  return stackedColumns({
    label: `Time spent on each day from ${weekday.format(days[0])} to ${weekday.format(days.at(-1))}`,
    columns: days.map((day) => weekday.format(day)),
    series: few.map(({ name, values }) => ({ name, values: values.map(inUnit) })),
    marks: { name: 'busy', values: byDay(sums, names, 'busy_seconds').map(inUnit) },
    axisUnit: ` ${unit.sign}`,
    format: (value) => hoursText(value * unit.seconds),
    ...how,
  });
}

/** The same for who sees no picture. @param {Days} days */
export const dayTable = ({ sums }) =>
  alternative({
    summary: 'Days as a table',
    caption: 'Time spent on each day',
    columns: ['Day', 'Sum', 'Busy', 'Tasks'],
    rows: () =>
      sums.map(({ day, spent_seconds: spent, busy_seconds: busy, tasks }) => [
        weekday.format(Date.parse(`${day}T12:00`)),
        hoursText(spent),
        hoursText(busy),
        formatCount(tasks),
      ]),
  });
