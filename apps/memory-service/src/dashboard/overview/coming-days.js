/** What is on in the next days, each memory once. Pure. */

/** @typedef {import('../reading/api.js').Answer<'getAgenda'>} Agenda */
/** @typedef {import('../reading/api.js').Schemas['AgendaEntry']} Entry */
/** @typedef {{ day: string, entries: Entry[], left: number }} ComingDay `left`: how many more name it */

/** @param {Pick<Agenda, 'days'>} agenda @param {(day: string) => number} mostOf a day @returns {ComingDay[]} the days on which something begins */
export function comingDays({ days }, mostOf) {
  /** By memory: the day on which it was on last. */
  const last = new Map();
  return days.flatMap(({ day, total, memories }) => {
    // "Next week" stands where it begins, with its end, "every weekday" on Monday; what was said again, such as a reminder, once.
    const goesOn = (/** @type {Entry} */ { id, first_day: from, last_day: to, recurring }) =>
      (from < to && last.has(id)) || (recurring && last.get(id) === dayBefore(day));
    const begun = onceEach(memories.filter((entry) => !goesOn(entry)));
    for (const { id } of memories) last.set(id, day);
    const entries = begun.slice(0, mostOf(day));
    return begun.length === 0 ? [] : [{ day, entries, left: total - memories.length + begun.length - entries.length }];
  });
}

/** @param {string} day YYYY-MM-DD */
const dayBefore = (day) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);

/** The first of those with the same words. @param {Entry[]} entries */
function onceEach(entries) {
  const said = new Set();
  return entries.filter(({ text }) => !said.has(text) && said.add(text));
}

/** Noon of a day where the reader is, in epoch milliseconds. @param {string} day YYYY-MM-DD */
export const noonOf = (day) => new Date(`${day}T12:00`).getTime();
