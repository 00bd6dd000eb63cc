import { recallText } from '../../memory/memory.ts';
import { marksOf } from '../../text/sentences/text-marks.ts';
import { wordsOf } from '../../text/words/words.ts';
import type { Candidate } from '../evidence/evidence.ts';
import { asksSomething, QUESTION_WORDS } from '../question/asks.ts';

/** A text of more words than this says something. */
const MOST_WORDS = 5;
/** So does a longer one. */
const MOST_CHARACTERS = 100;

/** What tells an agent to go on, as people write to coding agents all day: "go on", "continue please", "keep going". */
const GOING_ON = ['go', 'going', 'ahead', 'continue', 'proceed', 'carry', 'keep', 'next', 'resume'];
/** What agents and people answer to what was said: "Done.", "Understood". */
const ACKNOWLEDGED = ['done', 'understood', 'noted', 'agreed', 'perfect', 'lgtm'];
const EMPTY = new Set([...GOING_ON, ...ACKNOWLEDGED, ...QUESTION_WORDS]);

/**
 * Whether a memory tells nothing about any question: "ok", "Thanks!", "go on", "Done." or "1". The vector of such a text is near that
 * of anything short. After a question it may be the answer, unless it is one itself ("since when?"), and with a word of what is asked it is judged as any other.
 */
export function saysNothing({ evidence, stored }: Pick<Candidate, 'evidence' | 'stored'>): boolean {
  const { turn, words, askedBeforeWords, isQuestion } = evidence;
  const mayAnswer = askedBeforeWords > 0 && !isQuestion;
  return turn === 0 && !mayAnswer && words <= MOST_WORDS && isEmpty(recallText(stored.memory));
}

/** Whether a prompt seeks nothing: it tells to go on or says yes. "What did we do today?" seeks, by its form or by the time it names. */
export function seeksNothing(prompt: string): boolean {
  const { words, tellsTime } = marksOf(prompt);
  return words <= MOST_WORDS && !tellsTime && !asksSomething(prompt) && isEmpty(prompt);
}

/** Whether a text tells nothing by itself, whatever it is about. */
export function isEmptyText(text: string): boolean {
  return text.length <= MOST_CHARACTERS && marksOf(text).words <= MOST_WORDS && isEmpty(text);
}

function isEmpty(text: string): boolean {
  const said = wordsOf(text);
  return said.length > 0 && said.every(({ isContent, lower }) => !isContent || EMPTY.has(lower));
}
