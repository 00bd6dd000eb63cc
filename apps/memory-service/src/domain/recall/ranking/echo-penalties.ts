import { recallText } from '../../memory/memory.ts';
import { marksOf } from '../../text/sentences/text-marks.ts';
import type { TimePeriod } from '../../text/times/period-named.ts';
import type { Candidate } from '../evidence/evidence.ts';
import { asksSomething } from '../question/asks.ts';

interface Asking {
  readonly text: string;
  readonly period: TimePeriod | null;
}

/**
 * What a memory loses that asks the same: more than all that words and meaning could give it. Hooks store each prompt, so what many
 * sessions have asked would otherwise take every place before the answer.
 */
const ECHO = 10;
/** The words that it may have more: "So what is the staging server called?" */
const MORE_WORDS = 2;

/**
 * What each candidate loses for asking what the query asks, as prompts do that hooks have stored: it answers nothing. Where the query
 * names a time, nothing is said of what asks of another one.
 */
export function echoPenalties({ text, period }: Asking, candidates: readonly Candidate[]): readonly number[] {
  if (period !== null || !asksSomething(text)) return candidates.map(() => 0);
  const most = marksOf(text).words + MORE_WORDS;
  const asksTheSame = ({ evidence, stored }: Candidate) =>
    evidence.covers && evidence.words <= most && (evidence.isQuestion || asksSomething(recallText(stored.memory)));
  return candidates.map((candidate) => (asksTheSame(candidate) ? -ECHO : 0));
}
