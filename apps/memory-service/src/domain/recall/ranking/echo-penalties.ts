import { isQuestion, marksOf } from '../../text/text-marks.ts';
import type { TimePeriod } from '../../text/time-expressions.ts';
import type { Candidate } from '../evidence/evidence.ts';

interface Asking {
  readonly text: string;
  readonly period: TimePeriod | null;
}

/** What a memory loses that asks the same: as much as all of the words that it has in common with the question. */
const ECHO = 1;
/** The words that it may have more: "So what is the staging server called?" */
const MORE_WORDS = 2;

/**
 * What each candidate loses for asking what the query asks, as prompts do that hooks have stored: it answers nothing. Where the query
 * names a time, nothing is said of what asks of another one.
 */
export function echoPenalties({ text, period }: Asking, candidates: readonly Candidate[]): readonly number[] {
  if (period !== null || !isQuestion(text)) return candidates.map(() => 0);
  const most = marksOf(text).words + MORE_WORDS;
  return candidates.map(({ evidence }) =>
    evidence.isQuestion && evidence.covers && evidence.words <= most ? -ECHO : 0,
  );
}
