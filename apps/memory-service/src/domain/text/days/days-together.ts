import type { Steps } from '@agent-faculties/service-kit';
import { WEEKDAY, WEEKDAYS } from '../words/calendar.ts';
import { isBehindExcept } from './behind-except.ts';
import { daysOf, everyWeekday, notOn, onDay, termsOfNamed } from './day-terms.ts';
import type { NamedTime } from './named-time.ts';
import { type Bounds, boundsBy, termsOfHappening } from './recurrence-bounds.ts';
import { isInOneSentence, SENTENCE_END } from './sentence-around.ts';

/** A time of a text with the terms of its days. */
export interface NamedDays {
  readonly time: NamedTime;
  readonly terms: readonly string[];
  /** Whether something is not then, as an exception of another time that the text does not tell. */
  readonly isException: boolean;
}

/** Between two such times. */
const AND = /^,? ?(?:and|or|&|,) (?:(?:during|in|on) )?(?:the )?$/i;
const UP_TO = /^(?:before|by|since|till|until) /i;
/** Expressions on either side of one that are looked at for what belongs to it. */
const LOOKED_AROUND = 4;
const WEEKDAY_ALONE = new RegExp(`^(?:on )?(${WEEKDAY})s?$`, 'i');
/** "The next one is on 1 December." */
const NEXT_ONE = /^\W*(?:the )?(?:first|last|next)\b/i;

/**
 * The days that the times of a text name together, in steps: of what happens each week, its sentence tells from when to when it does, and when it does not.
 * @param times in order @param saidAt a wall time
 */
export function* daysTogetherInSteps(times: readonly NamedTime[], text: string, saidAt: number): Steps<NamedDays[]> {
  const exceptions = exceptionsAmong(times, text);
  /** What only tells of another time: its exceptions and its end. Where something begins is news of that day. */
  const belonging = new Set([...exceptions].filter(([, bases]) => bases.length > 0).map(([exception]) => exception));
  const named: NamedDays[] = [];
  for (const [index, time] of times.entries()) {
    const except = [...exceptions].filter(([, bases]) => bases.includes(time)).map(([exception]) => exception);
    const isException = exceptions.has(time);
    if (time.recurring === null) {
      named.push({ time, terms: [...new Set(termsWithout(time, except))], isException });
      continue;
    }
    const beside = besideInSentence(times, index, text).filter((other) => !exceptions.has(other));
    const { from, until, ends } = boundsAmong(beside, time, text);
    for (const end of ends) belonging.add(end);
    const terms = termsOfHappening({
      expression: time.expression,
      terms: withoutWeekdays(time.recurring, except),
      from,
      until,
      except: except.flatMap(({ periods }) => periods),
      dates: [...beside, ...nextAmong(times, index, text)].flatMap(({ periods }) => periods),
      saidAt,
    });
    named.push({ time, terms: [...new Set(terms)], isException });
    yield;
  }
  return named.filter(({ time }) => !belonging.has(time));
}

/** From when to when something recurs, by the times beside it, and those that tell an end. */
function boundsAmong(
  beside: readonly NamedTime[],
  recurring: NamedTime,
  text: string,
): Bounds & { readonly ends: readonly NamedTime[] } {
  const bounds = beside.map((other) => ({ other, ...boundsBy(other, recurring, text) }));
  return {
    from: bounds.find(({ from }) => from != null)?.from ?? null,
    until: bounds.find(({ until }) => until != null)?.until ?? null,
    ends: bounds.filter(({ until }) => until != null).map(({ other }) => other),
  };
}

/** The times at which something is not, each with those of which it is an exception. */
function exceptionsAmong(times: readonly NamedTime[], text: string): Map<NamedTime, readonly NamedTime[]> {
  const exceptions = new Map<NamedTime, readonly NamedTime[]>();
  for (const [index, time] of times.entries()) {
    const before = times[index - 1];
    const isAnother = before && exceptions.has(before) && AND.test(text.slice(before.end, time.at));
    if (isAnother) exceptions.set(time, exceptions.get(before) ?? []);
    else if (isBehindExcept(text, time.at) && !UP_TO.test(time.expression))
      exceptions.set(time, basesOf(times, index, text));
  }
  return exceptions;
}

/** What happens each week in its sentence, or the nearest span before it. "Retro every Friday. Not on the 27th." */
function basesOf(times: readonly NamedTime[], index: number, text: string): NamedTime[] {
  const [before, time] = [times[index - 1], times[index] as NamedTime];
  const around = besideInSentence(times, index, text);
  const recurring = around.filter((other) => other.recurring !== null);
  const span = around.findLast((other) => other.isSpan && other.at < time.at);
  if (recurring.length > 0) return recurring;
  if (span) return [span];
  return before?.recurring ? [before] : [];
}

/** The other times of its sentence, in order. */
function besideInSentence(times: readonly NamedTime[], index: number, text: string): NamedTime[] {
  let [first, last] = [index, index];
  const goesOnAt = (place: number) => isInOneSentence(text, times[place - 1] as NamedTime, times[place] as NamedTime);
  while (first > 0 && index - first < LOOKED_AROUND && goesOnAt(first)) first--;
  while (last + 1 < times.length && last - index < LOOKED_AROUND && goesOnAt(last + 1)) last++;
  return times.slice(first, last + 1).filter((_, place) => first + place !== index);
}

/** The time of the next sentence where that tells which one is next. */
function nextAmong(times: readonly NamedTime[], index: number, text: string): NamedTime[] {
  const [before, next] = [times[index], times[index + 1]];
  if (!before || !next) return [];
  const between = text.slice(before.end, next.at);
  return SENTENCE_END.test(between) && NEXT_ONE.test(between.split(SENTENCE_END).at(-1) as string) ? [next] : [];
}

/** "Every weekday except Friday" and "daily, but not on Sundays" are said of each of these. */
function withoutWeekdays(terms: readonly string[], except: readonly NamedTime[]): readonly string[] {
  const weekdays = except.flatMap(({ expression, recurring }) => {
    const name = WEEKDAY_ALONE.exec(expression)?.[1]?.toLowerCase();
    return recurring ?? (name === undefined ? [] : [everyWeekday(WEEKDAYS.indexOf(name))]);
  });
  const left = terms.filter((term) => !weekdays.includes(term));
  return left.length === 0 ? terms : left;
}

/** Of a span the days but for those on which it is not. */
function termsWithout({ periods }: NamedTime, except: readonly NamedTime[]): readonly string[] {
  const terms = periods.flatMap(termsOfNamed);
  if (except.length === 0) return terms;
  const left = [...new Set(except.flatMap((exception) => exception.periods).flatMap(daysOf))];
  const leftOut = new Set(left.map(onDay));
  return [...terms.filter((term) => !leftOut.has(term)), ...left.map(notOn)];
}
