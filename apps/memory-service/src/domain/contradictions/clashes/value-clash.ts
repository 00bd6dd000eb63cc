import { areSpans, differ, isBareVersion } from '../../text/values/differ.ts';
import type { Value, ValueKind } from '../../text/values/value.ts';
import type { Statement } from '../statements/statement.ts';
import type { Clash, Reason } from './clash.ts';
import { foremost } from './foremost.ts';

/** The reason that each kind of value gives. */
const REASONS: Readonly<Record<Exclude<ValueKind, 'identifier'>, Reason>> = {
  number: 'number',
  clock: 'date',
  weekday: 'date',
  date: 'date',
  year: 'date',
  version: 'version',
};

/** Values of one kind and unit of which both sides name none in common: the first pair for each reason. */
export function valueClashes(a: Statement, b: Statement): Clash[] {
  const pairs = a.values.flatMap((one, at) =>
    b.values.flatMap((other, place) => {
      const sides = [
        { word: keyOf(one), place: at },
        { word: keyOf(other), place },
      ] as const;
      return areComparable(one, other) || isLabelled(one, a, { other, b }) ? [{ one, other, sides }] : [];
    }),
  );
  const agreed = new Set(
    pairs.filter(({ one, other }) => !differ(one, other)).flatMap(({ one, other }) => [one, other]),
  );
  const clashing = pairs.filter(({ one, other }) => !agreed.has(one) && !agreed.has(other));
  return [...new Set(Object.values(REASONS))].flatMap((reason) => {
    const of = clashing.filter((pair) => reasonOf(pair) === reason);
    const best = foremost(of, strengthOf);
    return best ? [{ reason, strength: strengthOf(best), a: placesOf(best.one), b: placesOf(best.other) }] : [];
  });
}

/** The reason is the kind of the values; that of a version and a bare number is the version. */
function reasonOf({ one, other }: { one: Value; other: Value }): Reason {
  const { kind } = other.kind === 'version' ? other : one;
  return REASONS[kind as keyof typeof REASONS];
}

/** Strength of a pair of values; bare numbers may count different things. */
function strengthOf({ one, other }: { one: Value; other: Value }): number {
  const isNumber = one.kind === 'number' || other.kind === 'number';
  return isNumber && (one.unit === '' || other.unit === '') ? 0.5 : 0.9;
}

function keyOf({ kind, unit, value }: Value): string {
  return `${kind} ${unit} ${value}`;
}

export function areComparable(a: Value, b: Value): boolean {
  if (a.kind !== b.kind || a.kind === 'identifier') return false;
  return a.unit === b.unit || areSpans(a, b) || isBareVersion(a) || isBareVersion(b);
}

/** Whether the word before a number says that it counts nothing: "the depot has the extension 314" tells of no 314 depots. */
function isNamed({ from }: Value, { words }: Statement): boolean {
  return NAMED_BY_NUMBER.has(words[from - 1]?.lower ?? '');
}

const NAMED_BY_NUMBER = new Set(
  'account code ext extension fax frequency phone pin port postcode telephone zip'.split(' '),
);

/**
 * Whether a bare number counts what the other one does, as its text names it elsewhere: "word count: 48,000" and "62,000 words". "The
 * release is 2.9" says a version.
 */
function isLabelled(one: Value, a: Statement, { other, b }: { other: Value; b: Statement }): boolean {
  const kinds = [one, other].map(({ kind }) => kind);
  if (kinds.includes('version') && kinds.includes('number')) return [one, other].every(isDecimal);
  if (one.kind !== 'number' || other.kind !== 'number' || isNamed(one, a) || isNamed(other, b)) return false;
  return (one.unit === '' && a.terms.has(other.unit)) || (other.unit === '' && b.terms.has(one.unit));
}

function isDecimal({ kind, unit, value }: Value): boolean {
  return kind === 'version' || (unit === '' && !Number.isInteger(value));
}

function placesOf({ from, to }: Value): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
