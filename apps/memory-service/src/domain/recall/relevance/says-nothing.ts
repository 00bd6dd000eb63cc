import { recallText } from '../../memory/memory.ts';
import { wordsOf } from '../../text/words.ts';
import type { Candidate } from '../evidence/evidence.ts';

/** A text of more words than this says something. */
const MOST_WORDS = 5;

/** What tells an agent to go on, as people write to coding agents all day: "go on", "continue please", "keep going". */
const GOING_ON = new Set(['go', 'going', 'ahead', 'continue', 'proceed', 'carry', 'keep', 'next', 'resume']);

/**
 * Whether a memory tells nothing about any question: "ok", "Thanks!", "go on" or "1". The vector of such a text is near that of anything
 * short. After a question it may be the answer, and with a word of what is asked it is judged as any other.
 */
export function saysNothing({ evidence, stored }: Pick<Candidate, 'evidence' | 'stored'>): boolean {
  const { turn, words, askedBeforeWords } = evidence;
  if (turn > 0 || askedBeforeWords > 0 || words > MOST_WORDS) return false;
  const said = wordsOf(recallText(stored.memory));
  return said.length > 0 && said.every(({ isContent, lower }) => !isContent || GOING_ON.has(lower));
}
