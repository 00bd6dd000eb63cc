import { NO_LIST } from '../../times/day-lists.ts';
import { periodNamed } from '../../times/period-named.ts';
import type { Side, TimePeriod } from '../../times/time-period.ts';
import { WRITTEN_MONTH as MONTH, MONTHS, ORDINAL_DAY, SHORT_WEEKDAY, WEEKDAY } from '../../words/calendar.ts';
import type { DayKind, Told } from './kind.ts';
import { ENDS_IN_ORDINAL, OF_WEEK } from './patterns.ts';
import { onEitherSide, periodsBySides } from './periods-by-sides.ts';

/** "Monday 7th". */
const WEEKDAY_ORDINAL = new RegExp(`^(?:${WEEKDAY}|${SHORT_WEEKDAY}\\.?),? (${ORDINAL_DAY})$`, 'i');
const ON_THE_DAY = new RegExp(`^on the ${ORDINAL_DAY}$`, 'i');
const DAY_OF_MONTH = /\bthe (\d{1,2})(?:st|nd|rd|th)$/i;

/** A day whose month is not named: "on the 9th", "Friday the 9th". */
export const DAYS_OF_MONTH: DayKind = {
  forms: [
    `(?:on|by|until|till|from|before|since) (?:${WEEKDAY},? )?the ${ORDINAL_DAY}(?! (?:of )?${MONTH})${NO_LIST}`,
    `the ${ORDINAL_DAY}(?= (?:suits|works|would (?:suit|work)|is (?:best|better|fine|free|good|ok(?:ay)?))\\b)`,
    // Mostly "the 12th one".
    `(?:after|for|is|was) the ${ORDINAL_DAY}(?=$|[\\n,;:!?)]|\\.(?!\\d)| (?:and|are|at|but|i|is|it|or|so|we)\\b)${NO_LIST}`,
    `${OF_WEEK}(?:the )?${ORDINAL_DAY}(?! (?:of )?${MONTH})`,
  ],
  read: ({ expression }, told) => periodsBySides(laterInMonth(expression, told) ?? expression, told, readDayOfMonth),
};

export function readDayOfMonth(expression: string, saidAt: number, side: Side): TimePeriod | null {
  const plain = expression.replace(WEEKDAY_ORDINAL, 'on the $1').replace(ENDS_IN_ORDINAL, 'on $1');
  const isOver = side === 'past' && ON_THE_DAY.test(plain);
  return isOver ? periodNamed(`was ${plain}`, saidAt, side) : onEitherSide(plain, saidAt, side);
}

/** "7 January, back on the 11th": of the month that its sentence has just named, where the day is a later one; null where it is not. */
function laterInMonth(expression: string, { saidAt, earlier }: Told): string | null {
  const day = Number(DAY_OF_MONTH.exec(expression)?.[1]);
  const [period] = earlier?.periods ?? [];
  const date = period && earlier?.recurring === null ? new Date(period.from) : null;
  if (date === null || date.getTime() < saidAt || !(day > date.getUTCDate())) return null;
  return `${day} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}
