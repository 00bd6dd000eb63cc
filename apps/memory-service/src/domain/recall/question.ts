import type { SpeakerNames } from './evidence.ts';
import type { TimePeriod } from './time-expressions.ts';

/** A query, read once: what recall needs to know of it. */
export interface Question {
  readonly text: string;
  /** Distinct words as the index holds them, in order. */
  readonly terms: readonly string[];
  /** The text to embed: where it names one known speaker, as if that speaker were addressed in the first person. */
  readonly denseText: string;
  /** Key of the one known speaker that it names; null when none or several. */
  readonly speaker: string | null;
  /** It asks when, how long or since when. */
  readonly asksWhen: boolean;
  /** The time that it names, such as "in May 2023". */
  readonly period: TimePeriod | null;
}

/** Reads a query. `now` (epoch milliseconds) is what "yesterday" refers to. */
export declare function readQuestion(text: string, context: { speakers: SpeakerNames; now: number }): Question;
