import type { Word } from '../words/words.ts';
import { clockAt } from './clock.ts';
import { dateAt, monthOfYearAt } from './date.ts';
import { oftenAt } from './how-often.ts';
import { numberAt, partAt, priceAt } from './number.ts';
import { phoneAt } from './phone.ts';
import type { Value } from './value.ts';
import { namedAt } from './version-or-identifier.ts';

/** The values of a text, in order. Every word belongs to one value at most, but for a month of a year in digits. */
export function valuesOf(words: readonly Word[]): Value[] {
  const values: Value[] = [];
  for (let at = 0; at < words.length; ) {
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
