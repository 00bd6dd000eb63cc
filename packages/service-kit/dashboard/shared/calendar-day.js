/** Days of the reader's calendar. Pure. */

/** As YYYY-MM-DD. @param {number} epochMs */
export function calendarDay(epochMs) {
  const date = new Date(epochMs);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

/** The first instant of the Monday before an instant, or of its day. @param {number} epochMs */
export const startOfWeek = (epochMs) => startOfDay(epochMs, -((new Date(epochMs).getDay() + 6) % 7));

/** The first instant of a day. @param {number} epochMs @param {number} [daysLater] */
export function startOfDay(epochMs, daysLater = 0) {
  const date = new Date(epochMs);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + daysLater).getTime();
}
