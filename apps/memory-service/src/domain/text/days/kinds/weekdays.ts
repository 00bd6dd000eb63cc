import { DAY_MS } from '@agent-faculties/service-kit';
import { WEEKDAY_OF_MONTH } from '../../times/calendar-times.ts';
import { periodNamed } from '../../times/period-named.ts';
import type { Side, TimePeriod } from '../../times/time-period.ts';
import { longWeekday, WEEKDAYS as NAMES, SHORT_WEEKDAY, WEEKDAY } from '../../words/calendar.ts';
import { daysOf } from '../day-terms.ts';
import type { DayKind } from './kind.ts';
import { CLOCK, TIME_GOES_ON } from './patterns.ts';
import { onEitherSide, periodsBySides } from './periods-by-sides.ts';

const WEEK = '(?:the )?week after next|(?:this|next) week';
const BEHIND_WORD = `(?<=\\b(?:back|due|ends|eod|from|off|out|starts|wfh|(?:${WEEKDAY}|${SHORT_WEEKDAY})\\.?(?: and| or| &|,|/)) ?\\w{3})`;
/** "Fri"; of those that are mostly another word, such as "sun", where a time is told. */
const SHORT_ALONE = `(?:tues?|wed|thu(?:rs?)?|fri)(?!-|\\.[a-z])|(?:mon|sat|sun)(?= (?:at )?${CLOCK}\\b| ?(?:and|or|&|/|,) ?${SHORT_WEEKDAY}\\b)|(?:mon|sat|sun)${BEHIND_WORD}${TIME_GOES_ON}`;

/** "Friday" and which one: "next Friday", "Friday next week", "the last Friday in May". */
export const WEEKDAYS: DayKind = {
  forms: [
    WEEKDAY_OF_MONTH,
    `(?:this|next|last|coming|past) ${WEEKDAY}`,
    `${WEEKDAY},? (?:(?:in|of) )?(?:${WEEK})`,
    `(?:on|by|next|this|last|until|till) ${SHORT_WEEKDAY}(?!\\.?,? (?:the )?(?!${CLOCK}\\b)\\d)`,
    WEEKDAY,
    SHORT_ALONE,
  ],
  read: ({ expression }, told) => periodsBySides(expression, told, readOnSide),
};

/** "Friday next week" is one day of it. */
export const DAY_OF_WEEK = new RegExp(`^(${WEEKDAY}),? (?:(?:in|of) )?(${WEEK})$`, 'i');
/** "This Friday" is ahead, whatever was done for it. */
const THIS_WEEKDAY = new RegExp(`^this ${WEEKDAY}$`, 'i');
const ENDS_SHORT = new RegExp(`${SHORT_WEEKDAY}$`, 'i');

function readOnSide(expression: string, saidAt: number, side: Side): TimePeriod | null {
  const [, weekday, week] = DAY_OF_WEEK.exec(expression) ?? [];
  if (weekday && week) return dayOfWeek(weekday, periodNamed(week, saidAt, 'ahead'));
  const plain = expression.replace(ENDS_SHORT, longWeekday);
  return onEitherSide(plain, saidAt, THIS_WEEKDAY.test(plain) ? 'ahead' : side);
}

function dayOfWeek(weekday: string, week: TimePeriod | null): TimePeriod | null {
  const number = NAMES.indexOf(weekday.toLowerCase());
  const from = (week ? daysOf(week) : []).find((day) => new Date(day).getUTCDay() === number);
  return from === undefined ? null : { from, until: from + DAY_MS, unit: 'day', ofAnyYear: false };
}
