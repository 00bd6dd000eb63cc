import { recallText } from '../../memory/memory.ts';
import { sentenceSpans } from '../../text/sentences.ts';
import { termsOf } from '../../text/terms.ts';
import { marksOf } from '../../text/text-marks.ts';
import type { TimePeriod } from '../../text/time-expressions.ts';
import type { Candidate } from '../evidence/evidence.ts';
import { type AskedKind, tells, tellsOneOf } from '../question/asked-kind.ts';

/** All words of a question in a sentence of so many words belong together; a longer one says several things. */
const SHORT_WORDS = 25;
/** Characters of it that are read: more than so many words have. A text without blanks may be longer. */
const LOOKED_AT = 500;
/** Characters of a longer text in which such a sentence is looked for. */
const SENTENCES_LOOKED_AT = 4_000;

interface Asked {
  /** Whether the telling words of the question are enough to say what it asks. */
  readonly wordsTell: boolean;
  readonly asked: AskedKind;
  readonly ofKind: string | null;
  readonly period: TimePeriod | null;
  readonly telling: readonly string[];
}

/**
 * Whether a memory says what is asked in one short sentence with all telling words of the question, and was said in the time that
 * the question names.
 */
export function isToldByWords(
  { wordsTell, asked, ofKind, period, telling }: Asked,
  { evidence, stored }: Pick<Candidate, 'evidence' | 'stored'>,
): boolean {
  const { covers, words, createdAt } = evidence;
  const isThen = !period || (createdAt >= period.from && createdAt < period.until);
  if (!wordsTell || !covers || !isThen) return false;
  const text = recallText(stored.memory);
  const isAnswer = (one: string) => tells(asked, one, telling) && (ofKind === null || tellsOneOf(ofKind, one, telling));
  if (words <= SHORT_WORDS) return isAnswer(text.slice(0, LOOKED_AT));
  const sentences = shortSentences(text.slice(0, SENTENCES_LOOKED_AT));
  return sentences.some((one) => hasAll(telling, one) && isAnswer(one));
}

function shortSentences(text: string): string[] {
  const sentences = sentenceSpans(text, LOOKED_AT).map(({ start, end }) => text.slice(start, end));
  return sentences.filter((one) => marksOf(one).words <= SHORT_WORDS);
}

function hasAll(terms: readonly string[], text: string): boolean {
  const told = new Set(termsOf(text));
  return terms.length > 0 && terms.every((term) => told.has(term));
}
