import { WEEK_NAMED } from '../times/day-of-week.ts';
import { isShortWeekday, isWeekday } from '../words/calendar.ts';
import type { FoundExpression } from './day-expressions.ts';
import type { NamedTime } from './named-time.ts';

/** Between the days of a list or a span. */
const GOES_ON = /^ ?(?:,|,? (?:and|or)|&|\/|to|until|till|through) ?(?:on )?$/i;
/** Between a week and a day of it. */
const THEN_ON = /^, on $/i;
const ON = /^on /i;

/** A weekday with the week that the time before it names: "next week on Friday and Saturday", "off next week, on Friday I am back". */
export function ofNamedWeek(found: FoundExpression, before: NamedTime | undefined): FoundExpression {
  const weekday = found.written.replace(ON, '');
  const [named, week] = (before && WEEK_NAMED.exec(before.expression)) ?? [];
  if (!before || week === undefined || !(isWeekday(weekday) || isShortWeekday(weekday))) return found;
  const between = found.text.slice(before.end, found.end - weekday.length);
  const isOfWeek = (named === week ? THEN_ON : GOES_ON).test(between);
  return isOfWeek ? { ...found, expression: `${week} on ${weekday}` } : found;
}
