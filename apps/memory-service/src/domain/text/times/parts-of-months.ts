import { MONTH, monthNumbered } from '../words/calendar.ts';
import type { Side, TimePeriod } from './time-period.ts';

/** First and last day of the named parts of a month; 31 stands for the last day of the month. */
const PARTS: readonly (readonly [words: string, from: number, until: number])[] = [
  ['beginning|start|early|first (?:few )?days', 1, 10],
  ['middle|mid', 11, 20],
  ['end|late|last (?:few )?days?', 21, 31],
  ['(?:first|1st) half', 1, 15],
  ['(?:second|2nd|last|latter) half', 16, 31],
  ['(?:first|1st) week', 1, 7],
  ['(?:second|2nd) week', 8, 14],
  ['(?:third|3rd) week', 15, 21],
  ['(?:fourth|4th) week', 22, 28],
  ['last week', 25, 31],
];
const PART = new RegExp(
  `\\b(?:${PARTS.map(([words]) => `(${words})`).join('|')})(?: of)?[ -](${MONTH})\\b\\.?(?:,? (?:of )?((?:19|20)\\d\\d))?`,
  'i',
);

/** Reads a part of a month, in UTC: "the third week of May", "late in May", "mid-March 2026"; null where the text names none. */
export function partOfMonthNamed(text: string, now: number, side: Side): TimePeriod | null {
  const match = PART.exec(text);
  if (!match) return null;
  const [, from, until] = PARTS[match.slice(1, 1 + PARTS.length).findIndex(Boolean)] as (typeof PARTS)[number];
  const [name = '', namedYear] = match.slice(1 + PARTS.length);
  const month = monthNumbered(name);
  const last = lastYearOf(month, from, now);
  const isOver = Date.UTC(last, month, Math.min(until, lastDayOf(last, month)) + 1) <= now;
  const year = namedYear === undefined ? last + Number(side === 'ahead' && isOver) : Number(namedYear);
  return {
    from: Date.UTC(year, month, from),
    until: Date.UTC(year, month, Math.min(until, lastDayOf(year, month)) + 1),
    unit: 'week',
    ofAnyYear: namedYear === undefined,
  };
}

function lastDayOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
}

/** The latest year in which that day is not in the future. */
function lastYearOf(month: number, day: number, now: number): number {
  const year = new Date(now).getUTCFullYear();
  return Date.UTC(year, month, day) <= now ? year : year - 1;
}
