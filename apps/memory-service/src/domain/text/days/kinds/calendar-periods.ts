import { DAY_MS } from '@agent-faculties/service-kit';
import { END_OF, QUARTER, REST_OF } from '../../times/calendar-times.ts';
import type { Side, TimePeriod } from '../../times/time-period.ts';
import { longMonth, MAYBE_YEAR, MONTH, WRITTEN_MONTH } from '../../words/calendar.ts';
import type { DayKind } from './kind.ts';
import { FROM } from './patterns.ts';
import { onEitherSide, periodsBySides } from './periods-by-sides.ts';

/** In small letters "march" and "feb" are other words to the parser of times. */
const MONTH_ALONE = new RegExp(`^(?:by|during|for|from|in|of|since|through|till|until) (${MONTH})\\.?$`, 'i');
/** Of a month, and of what is longer, the end is a last day: what is due then is due on that one. */
const LAST_DAY = new RegExp(`^(?:${END_OF}|end (?:of|in) ${MONTH}.*)$`, 'i');
const OF_A_WEEK = /week|eow/i;

/** Months, quarters and parts of them: "in June", "end of May", "Q3 2026". */
export const CALENDAR_PERIODS: DayKind = {
  forms: [
    QUARTER,
    END_OF,
    REST_OF,
    `${WRITTEN_MONTH},? (?:19|20)\\d\\d`,
    `(?:(?:first|1st|second|2nd|third|3rd|fourth|4th|last) (?:week|half)|beginning|start|middle|end) (?:of|in) ${WRITTEN_MONTH}${MAYBE_YEAR}`,
    `(?:in|during|by|until|till|from|since|of|for|early|mid|late|through)[ -]${WRITTEN_MONTH}${MAYBE_YEAR}(?!(?: the)? ?\\d)`,
  ],
  read: ({ expression }, told) => periodsBySides(expression, told, readOnSide),
};

function readOnSide(expression: string, saidAt: number, side: Side): TimePeriod | null {
  const plain = expression.replace(MONTH_ALONE, (_, name) => `in ${longMonth(name)}`).replace(FROM, '');
  const period = onEitherSide(plain, saidAt, side);
  const isLastDay = LAST_DAY.test(plain) && !OF_A_WEEK.test(plain);
  return period && isLastDay ? { ...period, from: period.until - DAY_MS, unit: 'day' } : period;
}
