import {
  MONTH,
  MONTHS,
  monthNumbered,
  PLAIN_SHORT_WEEKDAY,
  SHORT_MONTHS,
  WEEKDAY,
  WEEKDAYS,
} from '../words/calendar.ts';
import type { Word } from '../words/words.ts';
import { UNITS } from './number.ts';
import { lowerAt, type Value } from './value.ts';

const IS_MONTH = new RegExp(`^${MONTH}$`);
const IS_WEEKDAY = new RegExp(`^(?:${WEEKDAY}s?|${PLAIN_SHORT_WEEKDAY})$`);
/** Words with which a date may begin, but for numbers. */
export const DATE_WORDS = [
  ...WEEKDAYS,
  ...WEEKDAYS.map((day) => `${day}s`),
  ...'tue tues wed thu thur thurs fri'.split(' '),
  ...MONTHS,
  ...SHORT_MONTHS,
];
const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
/** 11/2027, 2027-11 */
const MONTH_OF_YEAR = /^(?:(0?[1-9]|1[0-2])\/((?:19|20)\d\d)|((?:19|20)\d\d)[-/](0[1-9]|1[0-2]))$/;
/** 14/3, 3/14: one of both is no month. 24/7 is no date. */
const DAY_AND_MONTH = /^(?!24\/7$)(?:(1[3-9]|2\d|3[01])\/(0?[1-9]|1[0-2])|(0?[1-9]|1[0-2])\/(1[3-9]|2\d|3[01]))$/;
const DAY = /^(\d{1,2})(?:st|nd|rd|th)?$/;
const ORDINAL_DAY = /^(\d{1,2})(?:st|nd|rd|th)$/;
const LAST_DAY = 31;
const BEFORE_A_DAY = new Set('on by until till from since before after due is for to'.split(' '));
const YEAR = /^(?:19|20)\d\d$/;
/** Before 1900 only where it stands as a year does: "in 1887", not "1,887 lines". */
const EARLY_YEAR = /^1[5-8]\d\d$/;
const BEFORE_A_YEAR = new Set('in since from until year'.split(' '));

export function dateAt(words: readonly Word[], at: number): Value | null {
  const lower = lowerAt(words, at);
  const iso = ISO_DATE.exec(lower);
  if (iso) return { kind: 'date', value: `${Number(iso[2])}-${Number(iso[3])}`, unit: '', from: at, to: at };
  if (isWeekday(lower)) return { kind: 'weekday', value: lower.slice(0, 3), unit: '', from: at, to: at };
  const isYear = YEAR.test(lower) || (EARLY_YEAR.test(lower) && BEFORE_A_YEAR.has(lowerAt(words, at - 1)));
  const inDigits = DAY_AND_MONTH.exec(lower);
  if (inDigits) {
    const [day, month] = [inDigits[1] ?? inDigits[4], inDigits[2] ?? inDigits[3]];
    return { kind: 'date', value: `${Number(month)}-${Number(day)}`, unit: '', from: at, to: at };
  }
  if (isYear && !UNITS.has(lowerAt(words, at + 1))) {
    return { kind: 'year', value: Number(lower), unit: '', from: at, to: at };
  }
  return monthAt(words, at) ?? dayAlone(words, at);
}

/** "On the 15th of each month", "Friday 15th": a day of any month. */
function dayAlone(words: readonly Word[], at: number): Value | null {
  const day = Number(ORDINAL_DAY.exec(lowerAt(words, at))?.[1]);
  const before = lowerAt(words, at - 1);
  const followsWeekday = isWeekday(before);
  if (!(day >= 1 && day <= LAST_DAY) || !(before === 'the' || followsWeekday)) return null;
  const isTime = followsWeekday || words[at - 1]?.startsSentence || BEFORE_A_DAY.has(lowerAt(words, at - 2));
  const next = words[at + 1];
  const isOfThing = next !== undefined && !next.startsSentence && (next.isContent || next.isName);
  return isTime && !isOfThing ? { kind: 'date', value: `-${day}`, unit: '', from: at, to: at } : null;
}

/** What "November 2027" gives: a month, and a year. */
export function monthOfYearAt(words: readonly Word[], at: number): [Value, Value] | null {
  const match = MONTH_OF_YEAR.exec(lowerAt(words, at));
  if (!match) return null;
  const where = { unit: '', from: at, to: at };
  return [
    { kind: 'date', value: `${Number(match[1] ?? match[4])}-`, ...where },
    { kind: 'year', value: Number(match[2] ?? match[3]), ...where },
  ];
}

/** 3 October, 3rd of October, October 3; a month alone counts as a date without a day. */
function monthAt(words: readonly Word[], at: number): Value | null {
  const day = DAY.exec(lowerAt(words, at))?.[1];
  const skip = lowerAt(words, at + 1) === 'of' ? 2 : 1;
  if (day !== undefined && isMonth(words, at + skip))
    return dateOf(words, { month: at + skip, day, from: at, to: at + skip });
  if (!isMonth(words, at)) return null;
  const after = DAY.exec(lowerAt(words, at + 1))?.[1];
  if (after !== undefined && Number(after) <= 31) return dateOf(words, { month: at, day: after, from: at, to: at + 1 });
  return dateOf(words, { month: at, day: '', from: at, to: at });
}

/** "Mon", "sat" and "sun" alone may be other words. */
export function isWeekday(lower: string): boolean {
  return IS_WEEKDAY.test(lower);
}

/** Whether a word is a month: "may" and "march" only with a capital that no start of a sentence explains, or beside a day. */
function isMonth(words: readonly Word[], at: number): boolean {
  const word = words[at];
  if (!word || !IS_MONTH.test(word.lower)) return false;
  const isVerb = word.lower === 'may' || word.lower === 'march' || word.lower === 'mar';
  return !isVerb || (word.text !== word.lower && !word.startsSentence) || DAY.test(lowerAt(words, at - 1));
}

function dateOf(words: readonly Word[], found: { month: number; day: string; from: number; to: number }): Value {
  const month = monthNumbered(lowerAt(words, found.month)) + 1;
  return { kind: 'date', value: `${month}-${found.day}`, unit: '', from: found.from, to: found.to };
}
