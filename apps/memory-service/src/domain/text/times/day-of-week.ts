import { utcDay } from '@agent-faculties/service-kit';
import { ANY_WEEKDAY, longWeekday, WEEKDAY, WEEKDAYS } from '../words/calendar.ts';
import { beginningOf, nearestOn } from './time-period.ts';

// One day of a week that is named by today: "Friday next week", "next week on Friday", of which the parser reads one part alone.

/** In weeks from this one. */
const WEEKS_LATER = { last: -1, this: 0, next: 1, after: 2 } as const;
const WEEK = '(?:the )?week after next|(?:this|next|last) week';
/** No list or span of days begins with it: a question about "next week on Friday and Saturday" is about the week. */
const ALONE = `(?! ?(?:,|/|&|-|–|and|or|to|until|till) ?(?:on )?${ANY_WEEKDAY}\\b)`;
export const WEEKDAY_THEN_WEEK = `${WEEKDAY},? (?:(?:in|of) )?(?:${WEEK})`;
/** "Off next week, on Friday I am back" is the week and a day of it. */
const ENDS_CLAUSE = '(?=[.,;:!?\\n]|$)';
export const WEEK_THEN_WEEKDAY = `(?:${WEEK})(?: ${WEEKDAY}| on ${ANY_WEEKDAY}|, on ${ANY_WEEKDAY}${ENDS_CLAUSE})(?![\\p{L}\\p{N}_-])`;
/** "Next week from Monday to Wednesday", up to its first day. */
export const WEEK_FROM_WEEKDAY = `(?:${WEEK}),? from ${WEEKDAY}(?= (?:to|until|till|through) ${WEEKDAY}\\b)`;
/** Such a week alone, or with a day of it; its group is the week. */
export const WEEK_NAMED = new RegExp(`^(${WEEK})(?:,? (?:(?:on|from) )?${ANY_WEEKDAY})?$`, 'i');
const IN_A_TEXT = new RegExp(`\\b(?:${WEEKDAY_THEN_WEEK}|${WEEK_THEN_WEEKDAY}${ALONE})(?![\\p{L}\\p{N}_])`, 'giu');
const WHICH = /after|last|next|this/i;
const WEEKDAY_IN = new RegExp(`\\b${ANY_WEEKDAY}\\b`, 'i');

/** A text with such days as dates, such as 2026-12-04. @param now a wall time */
export function withDatesOfDaysOfWeeks(text: string, now: number): string {
  return text.replace(IN_A_TEXT, (expression) => {
    const [which = 'this'] = WHICH.exec(expression) ?? [];
    const monday = beginningOf(now, 'week', WEEKS_LATER[which.toLowerCase() as keyof typeof WEEKS_LATER]);
    const weekday = WEEKDAYS.indexOf(longWeekday(WEEKDAY_IN.exec(expression)?.[0] ?? ''));
    return utcDay(nearestOn(weekday, monday, 1));
  });
}
