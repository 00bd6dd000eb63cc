import { stemOf } from '../words/words.ts';
import { HALF_A_DAY } from './clock.ts';
import { DAYS_OF_MONTH } from './number.ts';
import type { Value } from './value.ts';
import { VERSIONED } from './version-or-identifier.ts';

/** Values that differ by less than this are equal but for rounding: "about a mile" is 1.6 km. */
const ROUNDING = 0.02;
/** Four weeks are a month too. */
const ROUNDING_OF_MONTHS = 0.1;
const SECONDS_OF_MONTH = 86_400 * DAYS_OF_MONTH;
/** The units of a version that does not say what it is a version of. */
const BARE_VERSIONS = new Set(['', ...[...VERSIONED].map(stemOf)]);

/**
 * Whether two values of one kind and unit are different, the rounding of numbers aside: 2027 and 2029 are two years. Half past nine
 * may be 21:30, and 30 September is in September.
 */
export function differ(a: Value, b: Value): boolean {
  if (a.kind === 'date' && b.kind === 'date') return !isWithin(a.value, b.value) && !isWithin(b.value, a.value);
  if (a.kind === 'version' && b.kind === 'version') return !isRefined(a.value, b.value) && !isRefined(b.value, a.value);
  if (a.isOfEitherHalf || b.isOfEitherHalf) return (Number(a.value) - Number(b.value)) % HALF_A_DAY !== 0;
  const mayBeRounded = a.kind === 'number' && typeof a.value === 'number' && typeof b.value === 'number';
  if (!mayBeRounded) return String(a.value) !== String(b.value);
  const [one, other] = [inSecondsOf(a, b), inSecondsOf(b, a)];
  const rounding = areSpans(a, b) ? ROUNDING_OF_MONTHS : ROUNDING;
  return Math.abs(one - other) > rounding * Math.max(Math.abs(one), Math.abs(other));
}

/** Whether one is a time in months or years, and the other one in shorter units: "90 days", "one year". */
export function areSpans(a: Value, b: Value): boolean {
  return [a, b].every(({ kind }) => kind === 'number') && [a.unit, b.unit].sort().join(' ') === 'months time';
}

function inSecondsOf(one: Value, other: Value): number {
  return Number(one.value) * (one.unit === 'months' && other.unit === 'time' ? SECONDS_OF_MONTH : 1);
}

/** Whether a version says more of the other one, or the same: 3.8.2 is a 3.8, and 14.1 a 14. */
function isRefined(longer: Value['value'], version: Value['value']): boolean {
  return `${longer}.`.startsWith(`${version}.`);
}

/** Whether a date is a day of a month, or the same. "The 20th" is of any month. */
function isWithin(date: Value['value'], wider: Value['value']): boolean {
  const [one, other] = [String(date), String(wider)];
  if (one === other) return true;
  if (other.startsWith('-')) return one.endsWith(other) || one.endsWith('-');
  return other.endsWith('-') && one.startsWith(other);
}

/** Whether a version does not say what it is a version of: "version 2.2". */
export function isBareVersion({ kind, unit }: Pick<Value, 'kind' | 'unit'>): boolean {
  return kind === 'version' && BARE_VERSIONS.has(unit);
}
