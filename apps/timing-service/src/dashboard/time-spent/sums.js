/** What the time of a range adds up to, by group and by day. Pure. */

/** @typedef {import('../reading/time-spent-reader.js').Times} Times */
/** @typedef {import('../state/view-state.js').SpentBy} SpentBy */
/** @typedef {{ name: string, spentSeconds: number, busySeconds: number, tasks: number, oddSeconds: number }} Group `oddSeconds`: what one task has of them that seems to have been forgotten, or told late; else 0 */

/** Where the API has the name of a group. @type {Readonly<Record<SpentBy, string>>} */
const NAMED_BY = {
  task_type: 'task_type',
  agent: 'agent_id',
  project: 'project',
  session: 'session',
  outcome: 'outcome',
};

/** Always in this order, of which each has its colour in the style sheet. */
const OUTCOMES = ['ok', 'error', 'timeout', 'cancelled', 'running', 'abandoned'];

/** @param {Times} times @param {SpentBy} by @returns {string} */
function nameOf(times, by) {
  const name = times[NAMED_BY[by]];
  if (name === null) return `no ${by}`;
  return by === 'outcome' && name === 'active' ? 'running' : name;
}

/**
 * The groups, the one with most time first; of outcomes all.
 * @param {readonly Times[]} groups by `by`, the one with most time first @param {SpentBy} by @returns {Group[]}
 */
export function groupsOf(groups, by) {
  const known = groups.map((times) => ({
    name: nameOf(times, by),
    spentSeconds: times.spent_seconds,
    busySeconds: times.busy_seconds,
    tasks: times.tasks,
    // Tasks of several types are not alike.
    oddSeconds: by === 'task_type' ? oddSeconds(times) : 0,
  }));
  if (by !== 'outcome') return known;
  const none = { spentSeconds: 0, busySeconds: 0, tasks: 0, oddSeconds: 0 };
  return OUTCOMES.map((name) => known.find((group) => group.name === name) ?? { name, ...none });
}

/** As many times what the others take, as the service doubts a run that was cut off. */
const TIMES_THE_OTHERS = 10;

/** @param {Times} times of one type */
function oddSeconds({ tasks, spent_seconds: spent, longest_seconds: longest }) {
  const ofOthers = (spent - longest) / Math.max(1, tasks - 1);
  return tasks > 1 && longest > spent / 2 && longest > TIMES_THE_OTHERS * ofOthers ? longest : 0;
}

/**
 * A series for each group, with a value for each day.
 * @param {readonly Group[]} groups @param {readonly Times[]} parts by day and `by` @param {SpentBy} by @param {readonly string[]} days as YYYY-MM-DD, all of the range
 * @returns {{ name: string, values: number[] }[]} seconds; in the order of the groups
 */
export function seriesOf(groups, parts, by, days) {
  const placeOf = new Map(days.map((day, place) => [day, place]));
  const series = new Map(groups.map(({ name }) => [name, days.map(() => 0)]));
  for (const times of parts) {
    const place = placeOf.get(times.day);
    const values = series.get(nameOf(times, by));
    if (place !== undefined && values) values[place] = times.spent_seconds;
  }
  return [...series].map(([name, values]) => ({ name, values }));
}

/** What the days have, in their order. @param {readonly Times[]} sums by day @param {readonly string[]} days @param {'spent_seconds' | 'busy_seconds'} what */
export function byDay(sums, days, what) {
  const known = new Map(sums.map((times) => [times.day, times[what]]));
  return days.map((day) => known.get(day) ?? 0);
}

const UNITS = [
  { seconds: 3_600, sign: 'h' },
  { seconds: 60, sign: 'min' },
  { seconds: 1, sign: 's' },
];

/** The unit in which the highest column is two or more. @param {number} mostSeconds */
export function unitFor(mostSeconds) {
  return UNITS.find(({ seconds }) => mostSeconds >= 2 * seconds) ?? { seconds: 1, sign: 's' };
}
