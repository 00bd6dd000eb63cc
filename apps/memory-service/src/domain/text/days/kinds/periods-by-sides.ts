import { DAY_MS } from '@agent-faculties/service-kit';
import { periodNamed } from '../../times/period-named.ts';
import type { Side, TimePeriod } from '../../times/time-period.ts';
import type { Told } from './kind.ts';

// On which side of the moment at which it was said an expression lies: "we met on Friday", "we meet on Friday".

/** "Notes of 24 November": a date without a year may have been so long ago, where its sentence tells nothing. */
const MAY_BE_OVER_MS = 60 * DAY_MS;
/** Expressions remembered with their periods: reading one takes 0.1 ms, and a team says "tomorrow" many times a day. */
const REMEMBERED = 5_000;

/** Reads an expression of one kind. No two kinds read the same one otherwise. */
type ReadOnSide = (expression: string, saidAt: number, side: Side) => TimePeriod | null;

const remembered = new Map<string, readonly TimePeriod[]>();

/** The periods that an expression means on the sides that its sentence tells. */
export function periodsBySides(
  expression: string,
  { saidAt, sides }: Pick<Told, 'saidAt' | 'sides'>,
  read: ReadOnSide = onEitherSide,
): readonly TimePeriod[] {
  const key = `${Math.floor(saidAt / DAY_MS)} ${sides} ${expression.toLowerCase()}`;
  const known = remembered.get(key);
  if (known) return known;
  const near = sides.length === 1 ? null : nearest(expression, saidAt, read);
  // Where its sentence tells both, a weekday may be either one; of two dates a year apart, the near one is meant.
  const isClear = sides.length === 0 || near?.ofAnyYear === true;
  const periods = isClear ? [near] : sides.map((side) => read(expression, saidAt, side));
  const found = periods.filter((period) => period !== null);
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(key, found);
  return found;
}

/** On that side, else on the other: "tomorrow" and "last week" have one, whatever their sentence tells. */
export function onEitherSide(expression: string, saidAt: number, side: Side): TimePeriod | null {
  return periodNamed(expression, saidAt, side) ?? periodNamed(expression, saidAt, side === 'past' ? 'ahead' : 'past');
}

/** Of an expression of which its sentence tells nothing: "notes of 24 November" is the last one, "dentist 3 December" the next. */
function nearest(expression: string, saidAt: number, read: ReadOnSide): TimePeriod | null {
  const past = read(expression, saidAt, 'past');
  const isOver = past?.ofAnyYear === true && past.until > saidAt - MAY_BE_OVER_MS;
  return isOver ? past : read(expression, saidAt, 'ahead');
}
