import { DAY_LIST, datesOfList } from '../../times/day-lists.ts';
import { DATES, periodsOfDate } from './dates.ts';
import type { DayKind } from './kind.ts';

/** Several days of one month: "the 7th and the 9th of December"; "room 7, 9 December" is a date alone. */
export const LISTS_OF_DAYS: DayKind = {
  forms: [DAY_LIST],
  read: (found, told) =>
    datesOfList(found.expression, found.before)?.flatMap((date) => periodsOfDate(date, told)) ??
    DATES.read(found, told),
};
