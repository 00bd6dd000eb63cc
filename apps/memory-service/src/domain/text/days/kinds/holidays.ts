import { dateOfHoliday, HOLIDAY } from '../../times/holidays.ts';
import type { DayKind } from './kind.ts';
import { onEitherSide, periodsBySides } from './periods-by-sides.ts';

/** "At Christmas", "Boxing Day". */
export const HOLIDAYS: DayKind = {
  forms: [HOLIDAY],
  read: ({ expression }, told) =>
    periodsBySides(expression, told, (name, saidAt, side) =>
      onEitherSide(dateOfHoliday(name, saidAt) ?? name, saidAt, side),
    ),
};
