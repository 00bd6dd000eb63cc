import { atOnce, type Steps } from '@agent-faculties/service-kit';
import { withLongWeekdays } from '../times/weekday-ranges.ts';
import { isCalledOff } from './called-off.ts';
import { expressionsIn, type FoundExpression } from './day-expressions.ts';
import { daysTogetherInSteps, type NamedDays } from './days-together.ts';
import { asEachWeek, rangeOfEachWeek } from './each-week.ts';
import type { Expression } from './kinds/kind.ts';
import { isRecurringName, termsOfAlike, termsOfRecurring, termsUpTo } from './kinds/recurring.ts';
import { daysOfMove } from './move-of-dates.ts';
import { isMovedFrom } from './moved.ts';
import type { NamedTime } from './named-time.ts';
import { ofNamedWeek } from './of-named-week.ts';
import { isOtherThanDay } from './other-than-days.ts';
import { isInOneSentence } from './sentence-around.ts';
import { sidesTold } from './side-of-now.ts';
import { isUpTo, spanOf, withDaysUntil } from './spans.ts';

// The days that a text names. "Retro every other Tuesday from 1 December, not on the 15th." becomes days in these steps:
// 1. Find: `day-expressions.ts` gives "every other Tuesday", "from 1 December" and "on the 15th", each with its kind. It has the table of
//    the kinds; the file of a kind in `kinds/` has its patterns and says what an expression of it means. "Moved from 3 to 5 December" is
//    two (`move-of-dates.ts`), and the Saturday of "next week on Friday and Saturday" is one of next week (`of-named-week.ts`).
// 2. Drop: `other-than-days.ts` tells what is no day where it stands, such as "Friday" in "the Friday rule".
// 3. Read each by itself: what recurs as terms ("every=2"), anything else as periods, on the side of now that its sentence tells
//    (`side-of-now.ts`). Here the 15th is that of December, which stands before it.
// 4. Join: "28 November to 2 December" are two expressions and one span (`spans.ts`), "daily Mon-Thu" recurs (`each-week.ts`).
// 5. Read them beside each other (`days-together.ts`): the 15th is an exception, and 1 December tells which Tuesdays are meant.
// 6. Write the days as terms (`day-terms.ts`): "fortnight=12", "not=2026-12-15", "on=2026-12-01". For an agenda, `called-off.ts` tells of
//    which of them the text says that something does not take place.

/** An expression by which a text names days; "28 November to 2 December" is one. */
export interface DayMention {
  /** Where it begins in the text. */
  readonly start: number;
  /** Of the days that it names, each once. */
  readonly terms: readonly string[];
  /** Whether its sentence says that something does not take place then. */
  readonly isCalledOff: boolean;
}

/** The terms of the days that a text names, each once, in steps. @param saidAt a wall time; what "tomorrow" refers to */
export function* namedDaysInSteps(text: string, saidAt: number): Steps<string[]> {
  const named = yield* namedInSteps(text, withLongWeekdays(text, asEachWeek), saidAt);
  return [...new Set(named.flatMap(({ terms }) => terms))];
}

/** The expressions by which a text names days, in order, in steps. @param saidAt as above */
export function* dayMentionsInSteps(text: string, saidAt: number): Steps<DayMention[]> {
  const looked = withLongWeekdays(text, asEachWeek);
  const named = yield* namedInSteps(text, looked, saidAt);
  return named.map(({ time, terms, isException }) => ({
    start: time.writtenAt,
    terms,
    isCalledOff: isException || isCalledOff(looked, time),
  }));
}

/** Steps 1 to 5. @param looked the text with long weekdays: "monday to wednesday" for "Mon-Wed" */
function* namedInSteps(text: string, looked: string, saidAt: number): Steps<NamedDays[]> {
  const times: NamedTime[] = [];
  for (const single of singleExpressionsIn(looked)) {
    const last = times.at(-1);
    const found = ofNamedWeek(single, last);
    const writtenAt = placeOf(found, text);
    const recurring = recurrenceOf(found, last);
    if (recurring !== null) {
      if (!isRecurringName(found)) times.push(timeOf(found, { writtenAt, recurring, periods: [] }));
      continue;
    }
    const earlier = last && isInOneSentence(looked, last, found) ? last : null;
    if (isOtherThanDay(found, { isInSentence: earlier !== null })) continue;
    const told = { saidAt, sides: sidesTold(found), earlier };
    const time = timeOf(found, { writtenAt, recurring: null, periods: found.kind?.read(found, told) ?? [] });
    if (last?.recurring === null && isUpTo(last, time, looked) && !isMovedFrom(looked, last))
      times[times.length - 1] = rangeOfEachWeek(last, time, looked) ?? spanOf(last, time);
    else times.push(withDaysUntil(time, looked, saidAt));
    yield;
  }
  return yield* daysTogetherInSteps(times, looked, saidAt);
}

function* singleExpressionsIn(text: string): Generator<FoundExpression> {
  for (const found of expressionsIn(text)) yield* daysOfMove(found);
}

/** The terms of what recurs, also of the Thursday of "every Tuesday and Thursday" and "every Monday to Thursday"; null where it does not. */
function recurrenceOf({ kind, expression, text, at }: FoundExpression, last?: NamedTime): readonly string[] | null {
  if (kind === null) return termsOfRecurring(expression);
  if (!last?.recurring) return null;
  const between = text.slice(last.end, at);
  const upTo = termsUpTo(expression, last.expression, between);
  return upTo && !isMovedFrom(text, last) ? upTo : termsOfAlike(expression, between);
}

function timeOf(
  { at, end, expression }: Expression,
  read: Pick<NamedTime, 'writtenAt' | 'recurring' | 'periods'>,
): NamedTime {
  return { at, end, expression, isSpan: false, ...read };
}

/** Where an expression stands in the text as it was written: the weekdays before it may have been written out since. */
function placeOf({ written, at }: Expression, text: string): number {
  const place = text.lastIndexOf(written, at);
  return place === -1 ? at : place;
}

/** Of several forms, so that most expressions are used. */
const SAMPLE =
  'Off on Friday, the 7th and the 9th of December at 10:00, then until 2 January. Retro every other Tuesday, not on the 8th.';

/** Makes the engine compile the expressions by which days are read, which takes some 200 ms of their first uses. */
export function warmUpDays(): void {
  for (const _ of ['first', 'second']) atOnce(namedDaysInSteps(SAMPLE, 0));
}
