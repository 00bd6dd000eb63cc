/** What is on in the next days, each memory once. Pure. */

/** @typedef {import('../reading/api.js').Answer<'getAgenda'>} Agenda */
/** @typedef {import('../reading/api.js').Schemas['AgendaEntry']} Entry */
/** @typedef {{ day: string, entries: Entry[], left: number }} ComingDay `left`: how many more name it */

/** @param {Pick<Agenda, 'days'>} agenda @param {number} most of a day @returns {ComingDay[]} the days on which something begins */
export function comingDays({ days }, most) {
  const known = new Set();
  return days.flatMap(({ day, total, memories }) => {
    // "Next week" stands where it begins, with its end; what was said again, such as a reminder, once.
    const begun = onceEach(memories.filter(({ id, first_day: from, last_day: to }) => !(from < to && known.has(id))));
    for (const { id } of memories) known.add(id);
    const left = total - memories.length + Math.max(0, begun.length - most);
    return begun.length === 0 ? [] : [{ day, entries: begun.slice(0, most), left }];
  });
}

/** The first of those with the same words. @param {Entry[]} entries */
function onceEach(entries) {
  const said = new Set();
  return entries.filter(({ text }) => !said.has(text) && said.add(text));
}

/** Noon of a day where the reader is, in epoch milliseconds. @param {string} day YYYY-MM-DD */
export const noonOf = (day) => new Date(`${day}T12:00`).getTime();
