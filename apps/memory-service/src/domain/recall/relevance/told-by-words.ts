import { recallText } from '../../memory/memory.ts';
import { sentenceSpans } from '../../text/sentences/sentences.ts';
import { marksOf } from '../../text/sentences/text-marks.ts';
import { isWeekAtMost } from '../../text/times/time-period.ts';
import { formsOf } from '../../text/words/irregular-verbs.ts';
import { calendarTerms, partsOfDay } from '../../text/words/telling-terms.ts';
import { termsOf } from '../../text/words/terms.ts';
import type { Candidate, Evidence } from '../evidence/evidence.ts';
import { tells, tellsOneOf } from '../question/asked-kind.ts';
import type { Question } from '../question/question.ts';

/** All words of a question in one sentence, or in neighbouring ones, of so many words belong together; a longer passage says several things. */
const SHORT_WORDS = 25;
/** Characters of it that are read: more than so many words have. A text without blanks may be longer. */
const LOOKED_AT = 500;
/** A reply of more words says what it speaks of. */
const TERSE_WORDS = 12;
/** An answer of the assistant of more words has any word. */
const ANSWER_WORDS = 120;
/** Characters of a longer text in which such a passage is looked for. */
const PASSAGES_LOOKED_AT = 4_000;
/** Sentences of it with which a passage may begin: prose has fewer, and a text of "a. b. c." would take 6 ms. */
const MOST_PASSAGES = 100;

/** Of seven days: what is on each or not, and what happens on each such day of a week, a fortnight or a month. */
const TERMS_OF_A_WEEK = 7 * 7;

/** What decides whether the words of a memory tell what a question asks. */
export type AskedInWords = Pick<
  Question,
  | 'wordsTell'
  | 'asked'
  | 'ofKind'
  | 'owesValue'
  | 'asksState'
  | 'asksWordsOf'
  | 'saidBy'
  | 'period'
  | 'asksAhead'
  | 'days'
  | 'names'
  | 'text'
  | 'terms'
  | 'telling'
>;

/**
 * Whether a memory says what is asked in one short passage with all telling words of the question, and was said in the time that the
 * question names, or names that time itself: "What is due in December?" asks for what was said before.
 */
export function isToldByWords(
  question: AskedInWords,
  { evidence, stored }: Pick<Candidate, 'evidence' | 'stored'>,
): boolean {
  const { wordsTell, asked, ofKind, owesValue, terms, telling } = question;
  const { covers, words } = evidence;
  const text = recallText(stored.memory);
  const time = calendarTerms(terms);
  if (telling.length === 0 && time.length > 0)
    return evidence.namesDay && partsOfDay(time).every((part) => hasAll([part], text));
  if (!wordsTell || !covers) return false;
  if (!isOfTime(question, evidence, text) && !hasAll(time, text.slice(0, PASSAGES_LOOKED_AT))) return false;
  // The time of the message answers "When did Ann move?".
  const isWhenSaid = asked === 'date' && !owesValue;
  const isAnswer = (one: string) =>
    (isWhenSaid || tells(asked, one, telling)) && (ofKind === null || tellsOneOf(ofKind, one, telling));
  if (words <= SHORT_WORDS) return isAnswer(text.slice(0, LOOKED_AT));
  return shortPassages(text.slice(0, PASSAGES_LOOKED_AT)).some((one) => hasAll(telling, one) && isAnswer(one));
}

/** What tells no time holds in the days to come too, and what was so on a day was mostly told before. */
function isOfTime(
  { period, asksAhead, days, asksState }: AskedInWords,
  { createdAt, namesDay }: Evidence,
  text: string,
): boolean {
  if (namesDay) return true;
  // A year has no terms.
  if (asksAhead)
    return days.length > 0 && days.length <= TERMS_OF_A_WEEK && !marksOf(text.slice(0, PASSAGES_LOOKED_AT)).tellsTime;
  return !period || (createdAt < period.until && (asksState || createdAt >= period.from));
}

/** The most words of a reply that may tell what is asked; 0: none does. */
export function longestReply({
  wordsTell,
  owesValue,
  asksWordsOf,
  saidBy,
}: Pick<AskedInWords, 'wordsTell' | 'owesValue' | 'asksWordsOf' | 'saidBy'>): number {
  if (!wordsTell) return 0;
  if (saidBy === 'assistant') return ANSWER_WORDS;
  return owesValue || asksWordsOf ? TERSE_WORDS : 0;
}

/**
 * Whether a terse reply tells what is asked, of what it and the two messages before it speak: "no, 80" behind "We ordered 60 towels".
 * Where the words of the assistant are asked for ("What did you write in my CV?"), a longer reply of it does so too.
 */
export function isToldInReply(
  {
    wordsTell,
    asked,
    owesValue,
    asksWordsOf,
    saidBy,
    period,
  }: Pick<AskedInWords, 'wordsTell' | 'asked' | 'owesValue' | 'asksWordsOf' | 'saidBy' | 'period'>,
  { evidence, stored }: Pick<Candidate, 'evidence' | 'stored'>,
): boolean {
  const { coversWithBefore, isQuestion, words, createdAt, speaker, role } = evidence;
  const isAskedAssistant = saidBy === 'assistant' && role === 'assistant';
  if (!wordsTell || !coversWithBefore || isQuestion || words > (isAskedAssistant ? ANSWER_WORDS : TERSE_WORDS))
    return false;
  if (period && !(createdAt >= period.from && createdAt < period.until)) return false;
  return (
    isAskedAssistant || (asksWordsOf && speaker === 1) || (owesValue && tells(asked, recallText(stored.memory), []))
  );
}

/** A question of what happened. What somebody is or likes today, they need not have said today. */
const OF_THE_PAST = /\b(?:did|was|were|had|has|have)\b/i;

/**
 * Whether the speaker that the question names said it in the time that the question names. The question is of the past, and at most one
 * other word tells its subject: "What did Dorothea order on 28 August?"
 */
export function isToldThen(
  { text, asked, period, names, telling }: Pick<AskedInWords, 'text' | 'asked' | 'period' | 'names' | 'telling'>,
  { evidence }: Pick<Candidate, 'evidence'>,
): boolean {
  const { speaker, createdAt, isQuestion } = evidence;
  if (speaker !== 1 || isQuestion || asked !== 'other' || !OF_THE_PAST.test(text.slice(0, LOOKED_AT))) return false;
  // All that somebody says in a week is little enough.
  if (period === null || !isWeekAtMost(period)) return false;
  const others = telling.filter((term) => !names.includes(term));
  return others.length <= 1 && createdAt >= period.from && createdAt < period.until;
}

/** For each short sentence, it and as many of those after it as are short together with it. */
function shortPassages(text: string): string[] {
  const sentences = sentenceSpans(text, LOOKED_AT);
  const words = sentences.map(({ start, end }) => marksOf(text.slice(start, end)).words);
  return sentences.slice(0, MOST_PASSAGES).flatMap(({ start }, first) => {
    const after = afterShort(words, first);
    return after > first ? text.slice(start, sentences[after - 1]?.end) : [];
  });
}

/** The place after the sentences that are short together, from one on; that place itself where that one is long. */
function afterShort(words: readonly number[], first: number): number {
  let place = first;
  let sum = 0;
  for (; place < words.length; place++) {
    sum += words[place] as number;
    if (sum > SHORT_WORDS) break;
  }
  return place;
}

function hasAll(terms: readonly string[], text: string): boolean {
  const told = new Set(termsOf(text));
  return terms.length > 0 && terms.every((term) => formsOf(term).some((form) => told.has(form)));
}
