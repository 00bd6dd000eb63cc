import type { Word } from '../words/words.ts';
import { CLOCK_WORDS, clockAt } from './clock.ts';
import { DATE_WORDS, dateAt, monthOfYearAt } from './date.ts';
import { OFTEN_WORDS, oftenAt } from './how-often.ts';
import { NUMBER_WORDS, numberAt, PART_WORDS, PRICE_WORDS, partAt, priceAt } from './number.ts';
import { phoneAt } from './phone.ts';
import type { Value } from './value.ts';
import { LABELS, namedAt } from './version-or-identifier.ts';

const HAS_DIGIT = /\d/;
/** Words without a digit with which a value may begin. */
const BEGINNINGS: ReadonlySet<string> = new Set([
  ...OFTEN_WORDS,
  ...DATE_WORDS,
  ...CLOCK_WORDS,
  ...LABELS,
  ...PART_WORDS,
  ...PRICE_WORDS,
  ...NUMBER_WORDS.keys(),
]);

/** The values of a text, in order. Every word belongs to one value at most, but for a month of a year in digits. */
export function valuesOf(words: readonly Word[]): Value[] {
  const values: Value[] = [];
  for (let at = 0; at < words.length; ) {
    if (!mayBegin(words[at] as Word)) {
      at++;
      continue;
    }
    const ofMonth = monthOfYearAt(words, at);
    if (ofMonth) {
      values.push(...ofMonth);
      at++;
      continue;
    }
    const value =
      oftenAt(words, at) ??
      phoneAt(words, at) ??
      dateAt(words, at) ??
      clockAt(words, at) ??
      namedAt(words, at) ??
      partAt(words, at) ??
      priceAt(words, at) ??
      numberAt(words, at);
    if (value) values.push(value);
    at = (value?.to ?? at) + 1;
  }
  return values;
}

/** Most words begin no value, which a dozen expressions would tell as well. */
function mayBegin({ lower }: Word): boolean {
  return BEGINNINGS.has(lower) || HAS_DIGIT.test(lower);
}
