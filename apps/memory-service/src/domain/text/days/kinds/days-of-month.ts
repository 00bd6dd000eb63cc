import { DAY_MS } from '@agent-faculties/service-kit';
import { NO_LIST } from '../../times/day-lists.ts';
import { periodNamed } from '../../times/period-named.ts';
import { beginningOf, type Side, type TimePeriod } from '../../times/time-period.ts';
import { DAY_NUMBER, MONTHS, OF_WEEK, ORDINAL_DAY, RANGE_TO, WEEKDAY, WRITTEN_MONTH } from '../../words/calendar.ts';
import { isBehindExcept } from '../behind-except.ts';
import type { NamedTime } from '../named-time.ts';
import type { DayKind, Expression, Told } from './kind.ts';
import { ENDS_IN_ORDINAL } from './patterns.ts';
import { onEitherSide, periodsBySides } from './periods-by-sides.ts';

/** "Monday 7th". */
const WEEKDAY_ORDINAL = new RegExp(`^${OF_WEEK}(${ORDINAL_DAY})$`, 'i');
/** "From the 3rd to the 5th of December" names its month. */
const NO_RANGE = `(?!${RANGE_TO}${DAY_NUMBER}(?: of)? ${WRITTEN_MONTH})`;
const ON_THE_DAY = new RegExp(`^on the ${ORDINAL_DAY}$`, 'i');
const DAY_OF_MONTH = /\bthe (\d{1,2})(?:st|nd|rd|th)$/i;

/** Before a day from or until which something is. */
const BOUND = /\b(?:as of|before|begin(?:s|ning)|by|from|since|start(?:s|ing)|through|till|until)(?: on)?(?: the)? $/i;
/** Of these words. */
const LONGEST_BOUND = 24;

interface Said {
  readonly saidAt: number;
  readonly earlier: NamedTime;
}

/** A day whose month is not named: "on the 9th", "Friday the 9th". */
export const DAYS_OF_MONTH: DayKind = {
  forms: [
    `(?:on|by|until|till|from|before|since) (?:${WEEKDAY},? )?the ${ORDINAL_DAY}(?! (?:of )?${WRITTEN_MONTH})${NO_RANGE}${NO_LIST}`,
    `the ${ORDINAL_DAY}(?= (?:suits|works|would (?:suit|work)|is (?:best|better|fine|free|good|ok(?:ay)?))\\b)`,
    // Mostly "the 12th one".
    `(?:after|for|is|was) the ${ORDINAL_DAY}(?=$|[\\n,;:!?)]|\\.(?!\\d)| (?:and|are|at|but|i|is|it|or|so|we)\\b)${NO_LIST}`,
    `${OF_WEEK}(?:the )?${ORDINAL_DAY}(?! (?:of )?${WRITTEN_MONTH})`,
  ],
  read: (found, told) => periodsBySides(inMonthNamed(found, told) ?? found.expression, told, readDayOfMonth),
};

export function readDayOfMonth(expression: string, saidAt: number, side: Side): TimePeriod | null {
  const plain = expression.replace(WEEKDAY_ORDINAL, 'on the $1').replace(ENDS_IN_ORDINAL, 'on $1');
  const isOver = side === 'past' && ON_THE_DAY.test(plain);
  return isOver ? periodNamed(`was ${plain}`, saidAt, side) : onEitherSide(plain, saidAt, side);
}

/** "7 January, back on the 11th": of the month that its sentence has just named, where it tells that; null where it does not. */
function inMonthNamed(found: Expression, { saidAt, earlier }: Told): string | null {
  const day = Number(DAY_OF_MONTH.exec(found.expression)?.[1]);
  const [period] = earlier?.periods ?? [];
  if (Number.isNaN(day) || !earlier || !period) return null;
  const named = new Date(period.from);
  const isLater = period.from >= saidAt && day > named.getUTCDate();
  if (!isLater && !isInsteadOf(day, found, { saidAt, earlier })) return null;
  return `${day} ${MONTHS[named.getUTCMonth()]} ${named.getUTCFullYear()}`;
}

/** "The last Friday in May, not on the 8th" speaks of the 8th of May. A bound, as in "every Tuesday until 20 January, not on the 15th", tells no month. */
function isInsteadOf(day: number, { text, at }: Expression, { saidAt, earlier }: Said): boolean {
  const [period] = earlier.periods;
  if (!period || !isBehindExcept(text, at) || earlier.isSpan || period.until - period.from !== DAY_MS) return false;
  if (BOUND.test(text.slice(Math.max(0, earlier.at - LONGEST_BOUND), earlier.at))) return false;
  const [today, month] = [beginningOf(saidAt, 'day'), beginningOf(period.from, 'month')];
  // Moved to 28 November, and not on the 3rd of December any more.
  const isOver = month + (day - 1) * DAY_MS < today;
  return isOver === period.from < today;
}
