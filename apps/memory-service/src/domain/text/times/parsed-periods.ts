import { DAY_MS } from '@agent-faculties/service-kit';
import type { ParsedComponents, ParsedResult } from 'chrono-node';
import { WEEKDAY } from '../words/calendar.ts';
import { dateParser } from './date-parser.ts';
import { beginningOf, endOf, type Side, type TimePeriod } from './time-period.ts';
import { isBeforeThing, isNoDay } from './weekdays-in-names.ts';

const WEEK_MS = 7 * DAY_MS;
const WEEKEND_MS = 2 * DAY_MS;

interface Reading {
  readonly now: number;
  readonly side: Side;
}

/** What was parsed last: what lies ahead is mostly read in the same text as the past. */
let last: { readonly text: string; readonly now: number; readonly results: readonly ParsedResult[] } | null = null;

/** The periods that the parser of dates finds in a text, the most exact first; some may lie on the other side of now. */
export function parsedPeriods(text: string, { now, side }: Reading): TimePeriod[] {
  if (last?.text !== text || last.now !== now)
    last = { text, now, results: dateParser.parse(text, { instant: new Date(now), timezone: 0 }) };
  return last.results
    .filter((result) => !DOUBTFUL.test(result.text) && !SPAN.test(result.text) && !isOfAnother(result, text))
    .sort((a, b) => exactness(b.start) - exactness(a.start))
    .flatMap((result) => periodOf(result, text, { now, side }) ?? []);
}

/** Words that the parser takes for a time and that are mostly other words, or none: "sat down", "a march", "which weekday", "now". */
const DOUBTFUL =
  /^(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec|may|march|weekday|[Nn]ow)$/;
/** "For 21 days" is a span, not the day on which it ends; so is "within 2 hours". */
const SPAN = /^(?:for (?!the\b).* (?:day|week|month|year)s?|(?:for|within) .* (?:second|minute|hour)s?)$/i;

function exactness(components: ParsedComponents): number {
  return (['year', 'month', 'day', 'weekday'] as const).filter((part) => components.isCertain(part)).length;
}

/** "The day before the party", "the last week of term", "the Friday before the release": when that was, the text does not say. */
const BEFORE_OR_AFTER = /\b(?:before|after)$/i;
const WHAT_IT_LIES_BY = /^ (?!(?:about|for|with|from|in|on|at|and|or|but)\b)[\p{L}\p{N}]/u;
const LAST = /^last\b/i;
const WHAT_IT_IS_PART_OF = /^ of /i;
const THE_ONE = new RegExp(`\\bthe (?:last [a-z ]+|${WEEKDAY})$`, 'i');
const WHAT_IT_LIES_BESIDE = /^ (?:before|after|of) /i;

/** Whether a time that the parser counts from now is one before, or of, what the words behind it name. */
function isOfAnother({ text, index }: ParsedResult, whole: string): boolean {
  const behind = whole.slice(index + text.length);
  if (BEFORE_OR_AFTER.test(text)) return WHAT_IT_LIES_BY.test(behind);
  if (DAY_ALONE.test(text) && isThing(whole.slice(0, index), behind)) return true;
  if (LAST.test(text) && WHAT_IT_IS_PART_OF.test(behind)) return true;
  return THE_ONE.test(whole.slice(0, index + text.length)) && WHAT_IT_LIES_BESIDE.test(behind);
}

/** "Ann's weekend", "the weekend rate", "the Friday rule": whose it is or of what, and not when something was. */
const DAY_ALONE = new RegExp(`^(?:weekend|${WEEKDAY})$`, 'i');
const OF_SOMEBODY = /(?:['’]s?|\b(?:my|your|his|her|our|their)) $/i;
const THE = /\bthe $/i;

/** Whether a day is a thing of somebody, or tells which thing the word behind it is. */
function isThing(before: string, behind: string): boolean {
  if (OF_SOMEBODY.test(before)) return true;
  return isNoDay(before, behind) || (THE.test(before) && isBeforeThing(behind));
}

const WEEK_OF = /\bweek of (?:the )?$/i;
const LAST_SO_MANY = /\b(?:last|past)\s+(?:\w+|couple\s+of)\s+(?:hour|day|week|month)s\b/i;
/** "In the next two weeks", "within ten days": from today on. */
const NEXT_SO_MANY = /\b(?:next|within)\s+(?:\w+|couple\s+of)\s+(?:hour|day|week|month)s\b/i;
const THIS_WEEK = /^this\s+week$/i;
const WEEKEND = /\b(?:this|next) weekend$/i;
/** Its Saturday and Sunday. */
const PAST_WEEKEND = /^(?:(?:the|last|past|this) )*weekend$/i;

function periodOf(result: ParsedResult, text: string, { now, side }: Reading): TimePeriod | null {
  const { start, end } = result;
  const unit = WEEK_OF.test(text.slice(0, result.index)) ? 'week' : unitOf(result);
  if (unit === null) return null;
  if (side === 'ahead' && WEEKEND.test(result.text)) return weekendAhead(result.text, now);
  // The parser takes the Sunday before, which ends a week of ours.
  if (THIS_WEEK.test(result.text)) return weekFrom(beginningOf(now, 'week'));
  const today = beginningOf(now, 'day');
  if (side === 'ahead' && NEXT_SO_MANY.test(result.text)) {
    const until = beginningOf(start.date().getTime(), 'day') + DAY_MS;
    return { from: today, until, unit: 'week', ofAnyYear: false };
  }
  const placed = (components: ParsedComponents) =>
    side === 'past' ? inThePast(components, now) : aheadOf(components, unit, now);
  const from = beginningOf(placed(start), unit);
  const last = end ? placed(end) : from;
  if (PAST_WEEKEND.test(result.text))
    return { from: endOf(from, 'week') - WEEKEND_MS, until: endOf(from, 'week'), unit, ofAnyYear: false };
  const ofAnyYear = start.isCertain('month') && !start.isCertain('year') && end?.isCertain('year') !== true;
  if (LAST_SO_MANY.test(result.text)) return { from, until: today + DAY_MS, unit: 'week', ofAnyYear: false };
  return { from, until: endOf(Math.max(beginningOf(last, unit), from), unit), unit, ofAnyYear };
}

function weekFrom(from: number): TimePeriod {
  return { from, until: from + WEEK_MS, unit: 'week', ofAnyYear: false };
}

function unitOf({ start, text }: ParsedResult): TimePeriod['unit'] | null {
  if (/\b(?:week(?:end)?|weeks (?:ago|from now)|in [a-z0-9]+ weeks)\b/i.test(text)) return 'week';
  if (start.isCertain('day') || start.isCertain('weekday')) return 'day';
  if (start.isCertain('month')) return 'month';
  return start.isCertain('year') ? 'year' : null;
}

function inThePast(components: ParsedComponents, now: number): number {
  const date = components.date();
  if (date.getTime() > now && !components.isCertain('year')) {
    if (components.isCertain('month')) date.setUTCFullYear(date.getUTCFullYear() - 1);
    else if (components.isCertain('weekday')) return date.getTime() - WEEK_MS;
  }
  return date.getTime();
}

/** What has passed before today lies a year, or a week, later. */
function aheadOf(components: ParsedComponents, unit: TimePeriod['unit'], now: number): number {
  const date = components.date();
  const isOver = endOf(beginningOf(date.getTime(), unit), unit) <= beginningOf(now, 'day');
  if (!isOver || components.isCertain('year')) return date.getTime();
  if (components.isCertain('month')) date.setUTCFullYear(date.getUTCFullYear() + 1);
  else if (components.isCertain('weekday')) return date.getTime() + WEEK_MS;
  return date.getTime();
}

/** Saturday and Sunday, of this week or of the next one. */
function weekendAhead(text: string, now: number): TimePeriod {
  const from = beginningOf(now, 'week') + (/\bnext\b/i.test(text) ? WEEK_MS : 0) + 5 * DAY_MS;
  return { from, until: from + WEEKEND_MS, unit: 'week', ofAnyYear: false };
}
