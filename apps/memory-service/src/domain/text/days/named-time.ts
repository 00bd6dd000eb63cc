import type { TimePeriod } from '../times/time-period.ts';

/** An expression of a text with what it names, or several that name one time. */
export interface NamedTime {
  /** Where it begins in its text as it was written. */
  readonly writtenAt: number;
  /** Where it begins and ends in the text with long weekdays, which is the one that is read. */
  readonly at: number;
  readonly end: number;
  readonly expression: string;
  /** The terms of what happens each week or month; null where it is no such expression. */
  readonly recurring: readonly string[] | null;
  readonly periods: readonly TimePeriod[];
  /** Whether it is a span from one day to another, of two expressions. */
  readonly isSpan: boolean;
}
