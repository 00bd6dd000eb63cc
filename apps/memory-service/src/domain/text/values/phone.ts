import type { Word } from '../words/words.ts';
import { lowerAt, type Value } from './value.ts';

const FIRST_GROUP = /^0\d[\d/-]*$/;
const GROUP = /^\d[\d/-]*$/;
const PHONE = /^\d{6,}$/;

/** A number that is dialled, of groups of digits: 0471 5560. It is rounded to no other one. */
export function phoneAt(words: readonly Word[], at: number): Value | null {
  if (!FIRST_GROUP.test(lowerAt(words, at))) return null;
  let to = at;
  while (words[to + 1]?.start === (words[to] as Word).end + 1 && GROUP.test(lowerAt(words, to + 1))) to++;
  const groups = words.slice(at, to + 1).map(({ lower }) => lower);
  const digits = groups.join('').replaceAll(/[/-]/g, '');
  return PHONE.test(digits) ? { kind: 'number', value: digits, unit: 'phone', from: at, to } : null;
}
