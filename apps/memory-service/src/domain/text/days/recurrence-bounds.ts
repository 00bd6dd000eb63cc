import { DAY_MS } from '@agent-faculties/service-kit';
import { beginningOf, type TimePeriod } from '../times/time-period.ts';
import { WEEKDAY } from '../words/calendar.ts';
import { everyFortnight, MOST_DAYS, notOn, onDay, recurringTermsOn } from './day-terms.ts';
import { isAlternate } from './kinds/recurring.ts';
import type { NamedTime } from './named-time.ts';

// From when to when something happens each week or month, and on which of these days it does not: "every Tuesday until 15 December, except
// on the 8th", "every other Friday from 4 December".

export interface Bounds {
  /** A wall time, inclusive. */
  readonly from: number | null;
  /** Exclusive. */
  readonly until: number | null;
}

const UNTIL = '(?:until|till|til|through|up to)';
const FROM = '(?:from|starting|beginning|starts?|begins?|as of|since|effective)';
const THE = '(?: (?:on|from))?(?: the)?';
/** Between what recurs and its bound: no other clause. */
const NEAR = '^[^,;:]{0,50},? ?\\(?';
const ENDS = new RegExp(`${NEAR}\\b${UNTIL}${THE} $`, 'i');
const BEGINS = new RegExp(`${NEAR}\\b${FROM}${THE} $`, 'i');
const SPANS = new RegExp(`${NEAR}(?:(?<=^,? ?\\(?)|\\b(?:from|between) )(?:the )?$`, 'i');
const WITHIN = /^,? ?\(?(?:(?:in|during|of|for|throughout) )?(?:the )?$/i;
const ANOTHER_CLAUSE = new RegExp(`\\b(?:and|but|then)\\b(?! (?:on )?${WEEKDAY})`, 'i');
const BEGINS_BEFORE = new RegExp(`\\b${FROM}${THE} $`, 'i');
const ON = /^(?: on(?:wards?)?)?,? [^,;:]{0,60}$/i;
/** Of an expression that has its preposition: "until the 12th", "in January". */
const PREPOSITION = /^(?:by|during|from|in|of|on|since|till|until)(?: the)? /i;
/** Of the words that are looked at before a bound. */
const LONGEST_BEFORE = 30;
const WEEK_MS = 7 * DAY_MS;
/** Days that are looked at for what happens until then; two years. */
const MOST_LOOKED_AT = 800;

/** The bounds of what recurs that another time of its sentence gives; null where that gives none. */
export function boundsBy(other: NamedTime, recurring: NamedTime, text: string): Bounds | null {
  const [period] = other.periods;
  if (!period || other.recurring) return null;
  const prefix = PREPOSITION.exec(other.expression)?.[0] ?? '';
  if (other.at < recurring.at) {
    const before = text.slice(Math.max(0, other.at - LONGEST_BEFORE), other.at) + prefix;
    const isStart = BEGINS_BEFORE.test(before) && ON.test(text.slice(other.end, recurring.at));
    return isStart ? { from: period.from, until: isOfSeveralDays(other) ? period.until : null } : null;
  }
  const between = text.slice(recurring.end, other.at) + prefix;
  if (ANOTHER_CLAUSE.test(between)) return null;
  const isLong = period.unit !== 'day' && WITHIN.test(between);
  if (isLong || (isOfSeveralDays(other) && SPANS.test(between))) return { from: period.from, until: period.until };
  if (ENDS.test(between)) return { from: null, until: period.until };
  return BEGINS.test(between) ? { from: period.from, until: null } : null;
}

/** "From 8 December to 10 December", "8 to 10 December". */
function isOfSeveralDays({ isSpan, periods: [period] }: NamedTime): boolean {
  return isSpan || (period?.unit === 'day' && period.until - period.from > DAY_MS);
}

interface Happening extends Bounds {
  readonly expression: string;
  /** Of the weekdays or days of the month. */
  readonly terms: readonly string[];
  /** The times in which it does not happen. */
  readonly except: readonly TimePeriod[];
  /** Times of its sentence: one may tell which weeks "every other" means. */
  readonly dates: readonly TimePeriod[];
  /** A wall time. */
  readonly saidAt: number;
}

/**
 * The terms of what happens each week or month within its bounds. With an end, its days are known one by one. Which weeks "every other" means
 * nobody knows without a date: each of its weekdays is named then.
 */
export function termsOfHappening({ expression, terms: each, except, dates, saidAt, from, until }: Happening): string[] {
  const happensOnEach = (day: number) => recurringTermsOn(day).some((term) => each.includes(term));
  const start = isAlternate(expression) ? firstOn(happensOnEach, from, dates) : undefined;
  const terms = start === undefined ? each : [everyFortnight(start)];
  const happensOn = (day: number) => recurringTermsOn(day).some((term) => terms.includes(term));
  const isLeftOut = (day: number) => except.some((period) => period.from <= day && day < period.until);
  const today = beginningOf(saidAt, 'day');
  if (until !== null) {
    const days = daysBetween(from ?? today, until).filter((day) => happensOn(day) && !isLeftOut(day));
    if (days.length > 0 && days.length <= MOST_DAYS) return days.map(onDay);
  }
  const before = from === null ? [] : daysBetween(today, from);
  const exceptions = except.flatMap((period) => daysBetween(period.from, period.until));
  const not = [...new Set([...before, ...exceptions])].filter(happensOn);
  return [...terms, ...(not.length > MOST_DAYS ? [] : not.map(notOn))];
}

/** The first day on which something happens, from when it begins; else a day that is named and is such a day. */
function firstOn(
  happensOn: (day: number) => boolean,
  from: number | null,
  dates: readonly TimePeriod[],
): number | undefined {
  if (from !== null) return daysBetween(from, from + WEEK_MS).find(happensOn);
  return dates
    .filter((date) => date.until - date.from === DAY_MS)
    .map((date) => date.from)
    .find(happensOn);
}

function daysBetween(from: number, until: number): number[] {
  const count = Math.min(MOST_LOOKED_AT, Math.max(0, Math.ceil((until - from) / DAY_MS)));
  return Array.from({ length: count }, (_, day) => from + day * DAY_MS);
}
