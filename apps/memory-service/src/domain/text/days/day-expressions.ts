import { isShortWeekday, longWeekday, MONTH, SHORT_WEEKDAY } from '../words/calendar.ts';
import { matchesIn } from '../words/matches-in.ts';
import { CALENDAR_PERIODS } from './kinds/calendar-periods.ts';
import { DATES } from './kinds/dates.ts';
import { DATES_IN_NUMBERS } from './kinds/dates-in-numbers.ts';
import { DAYS_OF_MONTH } from './kinds/days-of-month.ts';
import { HOLIDAYS } from './kinds/holidays.ts';
import type { DayKind, Expression } from './kinds/kind.ts';
import { LISTS_OF_DAYS } from './kinds/lists-of-days.ts';
import { RECURRING_FORMS } from './kinds/recurring.ts';
import { RELATIVE } from './kinds/relative.ts';
import { WEEKDAYS_NAMED } from './kinds/weekdays.ts';

/** The kinds of expressions that name days of the calendar. Of two that fit the first one is taken: "Friday the 9th" is no weekday alone. */
const KINDS = {
  // "tomorrow", "next week", "in 3 days"
  relative: RELATIVE,
  // "the 7th and the 9th of December"
  list: LISTS_OF_DAYS,
  // "Mon 30 Nov", "December 3-5", "2026-12-03"
  date: DATES,
  // "in June", "end of May", "Q3"
  period: CALENDAR_PERIODS,
  // "due 12/15"
  numbers: DATES_IN_NUMBERS,
  // "on the 9th", "Friday the 9th"
  dayOfMonth: DAYS_OF_MONTH,
  // "at Christmas"
  holiday: HOLIDAYS,
  // "Friday", "next Friday", "Friday next week"
  weekday: WEEKDAYS_NAMED,
} as const satisfies Record<string, DayKind>;

/** One expression for all kinds, each a group of its name: a text is looked through once. What recurs stands first: "every Friday". */
const ANY_KIND = [
  ...RECURRING_FORMS,
  ...Object.entries(KINDS).map(([name, { forms }]) => `(?<${name}>${forms.join('|')})`),
].join('|');
/** The boundary is there for speed: what stands before is looked at where a word begins alone. */
const DAY_EXPRESSION = new RegExp(`\\b(?<![\\p{L}\\p{N}_.-])(?:${ANY_KIND})(?![\\p{L}\\p{N}_])`, 'giu');
/** Each expression has one of these. Most texts have none, and this one is small enough to look through a text in a tenth of the time. */
const IN_AN_EXPRESSION = new RegExp(
  `day|daily|week|month|quarter|year|night|tomorrow|morning|noon|evening|christmas|halloween|\\beo[wmqy]\\b|\\bq[1-4]|\\b(?:${MONTH}|${SHORT_WEEKDAY})\\b|\\d(?:st|nd|rd|th|[-./]\\d)`,
  'i',
);
/** The most expressions of a text that are read: a log may have thousands, of 0.1 ms each. */
const MOST_EXPRESSIONS = 400;
/** Of the words that are looked at before an expression. */
const LONGEST_BEFORE = 16;
/** Of the words that are looked at behind an expression, with a blank before and behind it. */
const LONGEST_WORD = 12;

export interface FoundExpression extends Expression {
  /** Null: it recurs. */
  readonly kind: DayKind | null;
}

/** The expressions of a text, in order. @param text with long weekdays */
export function* expressionsIn(text: string): Generator<FoundExpression> {
  let read = 0;
  for (const { 0: written, index: at, groups } of placesIn(text)) {
    if (read++ === MOST_EXPRESSIONS) return;
    const end = at + written.length;
    yield {
      kind: kindOf(groups),
      expression: isShortWeekday(written) ? longWeekday(written) : written,
      written,
      text,
      at,
      end,
      before: text.slice(Math.max(0, at - LONGEST_BEFORE), at),
      behind: text.slice(end, end + LONGEST_WORD),
    };
  }
}

function placesIn(text: string): Iterable<RegExpExecArray> {
  return IN_AN_EXPRESSION.test(text) ? matchesIn(text, DAY_EXPRESSION) : [];
}

function kindOf(groups: Readonly<Record<string, string | undefined>> = {}): DayKind | null {
  return Object.entries(KINDS).find(([name]) => groups[name] !== undefined)?.[1] ?? null;
}

/** The places of the expressions by which a text names days. */
export function dayExpressionsIn(text: string): { readonly start: number; readonly end: number }[] {
  return Array.from(placesIn(text), ({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }));
}
