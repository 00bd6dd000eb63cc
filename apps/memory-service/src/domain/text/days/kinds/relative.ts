import { DAY_MS } from '@agent-faculties/service-kit';
import { WEEK_FROM_WEEKDAY, WEEK_THEN_WEEKDAY } from '../../times/day-of-week.ts';
import { periodNamed } from '../../times/period-named.ts';
import type { Side, TimePeriod } from '../../times/time-period.ts';
import { WEEK_LATER } from '../../times/week-later.ts';
import { NUMBER_NAMES } from '../../words/number-names.ts';
import type { DayKind } from './kind.ts';
import { onEitherSide, periodsBySides } from './periods-by-sides.ts';

const NUMBER = `(?:an?|${NUMBER_NAMES.join('|')}|\\d{1,2})`;
const IN_SO_MANY = new RegExp(`^in ${NUMBER} `, 'i');
const BEGINS_FROM = /^((?:this|next|last) week|(?:the )?week after next),? from /i;
const WEEKEND = /\bweekend$/i;
const WEEKEND_MS = 2 * DAY_MS;

/** What is counted from the day on which it was said: "tomorrow", "next week", "next week on Friday", "in 3 days". */
export const RELATIVE: DayKind = {
  forms: [
    WEEK_LATER,
    WEEK_THEN_WEEKDAY,
    WEEK_FROM_WEEKDAY,
    '(?:the )?day after tomorrow|(?:the )?day before yesterday|today|tonight|tomorrow|yesterday|last night',
    'this (?:morning|afternoon|evening)',
    '(?:this|next|last|coming|past) (?:week(?:end)?|month)',
    '(?:the )?(?:week|month) after next',
    `in ${NUMBER} (?:day|week|fortnight|month)s?|${NUMBER} (?:day|week|fortnight|month)s? (?:ago|from now)`,
    '(?:at|by|during|for|on|over) the weekend(?! (?:of|before|after))',
  ],
  read: ({ expression }, told) => periodsBySides(expression, told, readOnSide),
};

/** Told of the past "in 3 days" is a span of time; a weekend is its two days. */
function readOnSide(expression: string, saidAt: number, side: Side): TimePeriod | null {
  const isSpan = side === 'past' && IN_SO_MANY.test(expression);
  const plain = expression.replace(BEGINS_FROM, '$1 on ');
  const period = isSpan ? periodNamed(expression, saidAt, side) : onEitherSide(plain, saidAt, side);
  return period && WEEKEND.test(expression) ? { ...period, from: period.until - WEEKEND_MS } : period;
}
