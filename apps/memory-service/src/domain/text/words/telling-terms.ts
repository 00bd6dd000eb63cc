import { MONTHS, WEEKDAYS } from './calendar.ts';
import { termOfWord } from './terms.ts';

/** A few function words are terms, because recall is better with them. */
const FUNCTION_TERMS = termSet('does doing it its she her when go goes going get gets getting got');
/** Words of anything and anybody. */
const INDEFINITE_TERMS = termSet('anything anybody anyone something somebody someone everything everybody everyone');
const CALENDAR_TERMS = termSet([...WEEKDAYS, ...MONTHS].join(' '));
const PARTS_OF_DAY = termSet('morning afternoon evening night');
/** Words of any time. */
const TIME_TERMS = new Set([
  ...termSet(
    `today yesterday tomorrow tonight morning afternoon evening night day week weekend month quarter year time last past previous ago early late
    half beginning begin start mid middle end fortnight first second third one two three four five six seven few couple since until recent recently lately`,
  ),
  ...CALENDAR_TERMS,
]);

function termSet(words: string): ReadonlySet<string | null> {
  return new Set(words.split(/\s+/).map(termOfWord));
}

/** The terms of a question that tell its subject. @param namesTime whether words and digits of a time are none of them */
export function tellingTerms(terms: readonly string[], { namesTime }: { namesTime: boolean }): string[] {
  return terms.filter(
    (term) =>
      !FUNCTION_TERMS.has(term) && !INDEFINITE_TERMS.has(term) && !(namesTime && (isTimeTerm(term) || term === 'next')),
  );
}

/** Those of these terms that are no words of a time. */
export function withoutTimes(terms: readonly string[]): string[] {
  return terms.filter((term) => !isTimeTerm(term));
}

function isTimeTerm(term: string): boolean {
  return TIME_TERMS.has(term) || /^\d/.test(term);
}

/**
 * The terms of a question that name its time by the calendar: "4 December", "the night of 4 December". None where other words tell the time
 * too: what is "last week" depends on who says it when.
 */
export function calendarTerms(terms: readonly string[]): string[] {
  const times = terms.filter(isTimeTerm);
  const isOfCalendar = times.every((term) => CALENDAR_TERMS.has(term) || PARTS_OF_DAY.has(term) || /^\d/.test(term));
  return isOfCalendar && times.some((term) => CALENDAR_TERMS.has(term)) ? times : [];
}

/** Those of these terms that tell a part of a day: "the night of 4 December". */
export function partsOfDay(terms: readonly string[]): string[] {
  return terms.filter((term) => PARTS_OF_DAY.has(term));
}
