import { dayExpressionsIn } from '../../text/days/day-expressions.ts';
import { isQuestion } from '../../text/sentences/text-marks.ts';
import { type Word, wordsOf } from '../../text/words/words.ts';
import { asksSomething, QUESTION_WORDS } from './asks.ts';

/** More words ask by themselves. */
const MOST_WORDS = 6;
/** A longer text asks by itself, and is no question that can be asked anew. To take 200,000 characters apart takes 100 ms. */
const MOST_CHARACTERS = 300;
/** "And Wei?", "and on 18 November?"; of "what about" a name or a day has to follow, since other things are asked about by themselves. */
const OPENING = /^\W*(?:(?:ok|okay|so|but)[, ]+)?(?:(and)|(?:and )?(?:what|how) about)\b[, ]*/i;
/** With a verb it is a question of its own: "and where do we keep the key?" */
const VERB =
  /\b(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|shall|should|(?<!\b(?:by|for|in|of|since|until|\d{1,2}(?:st|nd|rd|th)?) )may|might|must|know|think)\b|n['’]t\b/i;
const THING = "(?:(?:the|an?|our|my|your|his|her|their) )?[\\p{L}\\p{N}'’-]+";
const ONE_THING = new RegExp(`^${THING}$`, 'iu');
const SUBJECT = new RegExp(
  `\\b(?:do|does|did|is|are|was|were|has|have|had|can|will|should) (${THING})(?![\\p{L}\\p{N}'’-]| (?:and|or)\\b)`,
  'iu',
);
const PREPOSITION = /^(?:about|after|at|before|by|during|for|from|in|of|on|since|to|until|with)\b/i;
const BEFORE_A_DAY = /(?<=^|\s)(?:at|by|for|in|on) $/i;
const HAS_DIGIT = /\d/;
const END = /[\s?？.!]*$/u;

/**
 * A query as it is meant behind the question before it: "And Wei?" behind "When does Ann come?" asks when Wei comes, and "since when?" behind
 * any question asks that of the same thing. A query that asks by itself stays as it is.
 * @param before earlier questions of the conversation, the latest first
 */
export function asMeantBehind(query: string, before: readonly string[]): string {
  if (!isFollowUp(query)) return query;
  const whole = before.find((one) => asksSomething(one) && !isFollowUp(one));
  if (whole === undefined || whole.length > MOST_CHARACTERS) return query;
  const question = whole.replace(END, '');
  const rest = query.replace(OPENING, '').replace(END, '');
  return `${withDay(question, rest) ?? withName(question, rest) ?? withPhrase(question, rest) ?? withSubject(question, rest) ?? `${question}, ${query.replace(END, '')}`}?`;
}

/** Whether a query tells too little to be asked by itself. */
export function isFollowUp(query: string): boolean {
  if (query.length > MOST_CHARACTERS) return false;
  const words = wordsOf(query);
  if (words.length === 0 || words.length > MOST_WORDS || VERB.test(query)) return false;
  const opening = OPENING.exec(query);
  if (opening)
    return opening[1] !== undefined || words.some(({ isName }) => isName) || dayExpressionsIn(query).length > 0;
  return isQuestion(query) && !words.some(tells);
}

/** "What is on today" with "tomorrow" in the place of its day; null where either names no day or several, or the rest says more. */
function withDay(question: string, rest: string): string | null {
  const [day, another] = dayExpressionsIn(rest);
  const [asked, other] = dayExpressionsIn(question);
  if (!day || another || !asked || other || day.end < rest.length) return null;
  const lead = rest.slice(0, day.start);
  if (lead.replace(BEFORE_A_DAY, '') !== '') return null;
  const before = question.slice(0, asked.start);
  return `${lead === '' ? before : before.replace(BEFORE_A_DAY, '')}${rest}${question.slice(asked.end)}`;
}

/** "When does Ann come" with "Wei" in the place of Ann; null where either has no name or several. */
function withName(question: string, rest: string): string | null {
  const [name, another] = wordsOf(`and ${rest}`).filter(({ isName }) => isName);
  const [named, other] = wordsOf(question).filter(({ isName }) => isName);
  if (!name || another || !named || other) return null;
  return `${question.slice(0, named.start)}${name.text}${question.slice(named.end)}`;
}

/** "Who was on call on 11 November" with "on 18 November" in the place of the phrase that begins alike. */
function withPhrase(question: string, rest: string): string | null {
  const preposition = PREPOSITION.exec(rest)?.[0].toLowerCase();
  const place = preposition === undefined ? -1 : question.toLowerCase().lastIndexOf(` ${preposition} `);
  return place === -1 ? null : `${question.slice(0, place)} ${rest}`;
}

/** "Why was checkout slow" with "search" in the place of its subject; null where that is no single word, or the rest is none. */
function withSubject(question: string, rest: string): string | null {
  const subject = SUBJECT.exec(question);
  const isOne = ONE_THING.test(rest) && wordsOf(rest).some(tells);
  if (!subject?.[1] || !isOne || !wordsOf(subject[1]).some(tells)) return null;
  const start = subject.index + subject[0].length - subject[1].length;
  return `${question.slice(0, start)}${rest}${question.slice(start + subject[1].length)}`;
}

/** A number tells as much as a word: "room 12?" */
function tells({ isContent, lower }: Word): boolean {
  return HAS_DIGIT.test(lower) || (isContent && !QUESTION_WORDS.has(lower));
}
