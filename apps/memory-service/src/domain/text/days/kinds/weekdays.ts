import { WEEKDAY_OF_MONTH } from '../../times/calendar-times.ts';
import { WEEKDAY_THEN_WEEK } from '../../times/day-of-week.ts';
import type { Side, TimePeriod } from '../../times/time-period.ts';
import { ANY_WEEKDAY, longWeekday, SHORT_WEEKDAY, WEEKDAY } from '../../words/calendar.ts';
import type { DayKind } from './kind.ts';
import { CLOCK, TIME_GOES_ON } from './patterns.ts';
import { onEitherSide, periodsBySides } from './periods-by-sides.ts';

const BEHIND_WORD = `(?<=\\b(?:back|due|ends|eod|from|off|out|starts|wfh|${ANY_WEEKDAY}\\.?(?: and| or| &|,|/)) ?\\w{3})`;
/** "Fri"; of those that are mostly another word, such as "sun", where a time is told. */
const SHORT_ALONE = `(?:tues?|wed|thu(?:rs?)?|fri)(?!-|\\.[a-z])|(?:mon|sat|sun)(?= (?:at )?${CLOCK}\\b| ?(?:and|or|&|/|,) ?${SHORT_WEEKDAY}\\b)|(?:mon|sat|sun)${BEHIND_WORD}${TIME_GOES_ON}`;

/** "Friday" and which one: "next Friday", "Friday next week", "the last Friday in May". */
export const WEEKDAYS_NAMED: DayKind = {
  forms: [
    WEEKDAY_OF_MONTH,
    `(?:this|next|last|coming|past) ${WEEKDAY}`,
    WEEKDAY_THEN_WEEK,
    `(?:on|by|next|this|last|until|till) ${SHORT_WEEKDAY}(?!\\.?,? (?:the )?(?!${CLOCK}\\b)\\d)`,
    WEEKDAY,
    SHORT_ALONE,
  ],
  read: ({ expression }, told) => periodsBySides(expression, told, readOnSide),
};

/** "Friday next week" is one day of it. */
export const WEEKDAY_OF_NAMED_WEEK = new RegExp(`^(?:${WEEKDAY_THEN_WEEK})$`, 'i');
/** "This Friday" is ahead, whatever was done for it. */
const THIS_WEEKDAY = new RegExp(`^this ${WEEKDAY}$`, 'i');
const ENDS_SHORT = new RegExp(`${SHORT_WEEKDAY}$`, 'i');

function readOnSide(expression: string, saidAt: number, side: Side): TimePeriod | null {
  const plain = expression.replace(ENDS_SHORT, longWeekday);
  return onEitherSide(plain, saidAt, THIS_WEEKDAY.test(plain) ? 'ahead' : side);
}
