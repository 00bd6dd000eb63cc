import { DAY_MS, utcDay } from '@agent-faculties/service-kit';
import { WEEKDAY, WEEKDAYS } from '../words/calendar.ts';
import { NUMBER_NAMES } from '../words/number-names.ts';
import { beginningOf, nearestOn } from './time-period.ts';

// A day some weeks behind another one, "Monday week", "Saturday after next", "a week on Friday", "two weeks from tomorrow", "the weekend after next".

const COUNT = `(?:an?|${NUMBER_NAMES.join('|')}|\\d{1,2})`;
const DAY = `(?:${WEEKDAY}|today|tomorrow)`;
const WEEKEND_AFTER_NEXT = '(?:the )?weekend after next';
/** No "Monday week 3", where the week has a number, and no "for two weeks from Monday", which is a span. */
export const WEEK_LATER = [
  `(?:${WEEKDAY}|tomorrow) week(?=$|\\n|[,;:!?)]|\\.(?!\\d)| (?:and|at|for|i|in|is|or|the|to|until|we|with)\\b)`,
  `${WEEKDAY} after next`,
  WEEKEND_AFTER_NEXT,
  `(?:an?|one) week (?:on ${WEEKDAY}|today|tomorrow)`,
  `${COUNT} weeks? (?<!\\bfor \\w{1,6} weeks? )from ${DAY}`,
].join('|');
const IN_A_TEXT = new RegExp(`\\b(?:${WEEK_LATER})(?![\\p{L}\\p{N}_])`, 'giu');
const IS_WEEKEND = /^(?:the )?weekend/i;
const PARTS = new RegExp(`^(?:(?:(${COUNT}) weeks? (?:(?:from|on) )?)(${DAY})|(${DAY}) (?:week|after next))$`, 'i');

/** A text with such days as dates, such as 2026-12-07. @param now a wall time */
export function withDatesOfWeeksLater(text: string, now: number): string {
  return text.replace(IN_A_TEXT, (expression) =>
    IS_WEEKEND.test(expression) ? weekendAfterNext(now) : dateOf(expression, now),
  );
}

/** Its Saturday to its Sunday. */
function weekendAfterNext(now: number): string {
  const saturday = beginningOf(now, 'week', 2) + 5 * DAY_MS;
  return `${utcDay(saturday)} to ${utcDay(saturday + DAY_MS)}`;
}

function dateOf(expression: string, now: number): string {
  const [, count = 'a', behind = '', before = behind] = PARTS.exec(expression) ?? [];
  const weeks = /\d/.test(count) ? Number(count) : Math.max(1, NUMBER_NAMES.indexOf(count.toLowerCase()) + 1);
  const weekday = WEEKDAYS.indexOf(before.toLowerCase());
  const day = weekday === -1 ? now + Number(/tomorrow/i.test(before)) * DAY_MS : nearestOn(weekday, now, 1);
  return utcDay(day + 7 * weeks * DAY_MS);
}
