import type { Side, TimePeriod } from '../../times/time-period.ts';
import type { NamedTime } from '../named-time.ts';

/** An expression where it stands in a text. */
export interface Expression {
  /** As it is read: "thursday" for "Thu". */
  readonly expression: string;
  readonly written: string;
  /** Its text with long weekdays, and where it begins and ends in that. */
  readonly text: string;
  readonly at: number;
  readonly end: number;
  /** The nearest words before and behind it. */
  readonly before: string;
  readonly behind: string;
}

/** What tells which of several times an expression means. */
export interface Told {
  /** A wall time; what "tomorrow" refers to. */
  readonly saidAt: number;
  /** On which its sentence puts it; empty: it tells nothing. */
  readonly sides: readonly Side[];
  /** The time that its sentence names before it; null: none. */
  readonly earlier: NamedTime | null;
}

/** A kind of expression by which a text names days of the calendar: how it is found, and what it means. */
export interface DayKind {
  /** Patterns of its expressions. The first one that fits is taken, so one that begins with another one stands before that. */
  readonly forms: readonly string[];
  /** The periods that it means: several where it lists days or its sentence tells both sides, none where it means no day. */
  readonly read: (found: Expression, told: Told) => readonly TimePeriod[];
}
