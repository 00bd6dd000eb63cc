import type { Word } from '../words/words.ts';

export type ValueKind = 'number' | 'clock' | 'weekday' | 'date' | 'year' | 'version' | 'identifier';

/** An exact value in a text. */
export interface Value {
  readonly kind: ValueKind;
  /** Comparable among values of the same kind and unit: base units, minutes after midnight, `10-3` for 3 October. */
  readonly value: number | string;
  /** What the number counts or measures: a dimension such as `time`, else the stem of the word after it, else ''. */
  readonly unit: string;
  /** Whether it is a time of which nothing says whether it is before or after noon: half past nine. */
  readonly isOfEitherHalf?: boolean;
  /** Positions of its first and last word. */
  readonly from: number;
  readonly to: number;
}

/** The word at a position in lower case; '' beyond either end of the text. */
export function lowerAt(words: readonly Word[], at: number): string {
  return words[at]?.lower ?? '';
}
