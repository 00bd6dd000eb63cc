import { recallText } from '../../memory/memory.ts';
import { differ } from '../../text/values/differ.ts';
import type { Value } from '../../text/values/value.ts';
import type { Word } from '../../text/words/words.ts';
import type { Candidate } from '../evidence/evidence.ts';
import {
  type AskedValue,
  hasOtherValue,
  type ReadStatement,
  readStatement,
  repeatsValueOfIt,
  valuesAsked,
} from '../question/asked-value.ts';
import { hintsAtChange, isSettled, tellsOfChange } from './tells-of-change.ts';

/** The most words of a reply that may decide; a longer text says other things too. */
const MOST_WORDS = 40;
/** The most words of a decision that takes the place of another statement, if it does not settle anything in so many words. */
const PLAIN_WORDS = 25;
/** The most words of one that says nothing but what is decided: "Back down a bit: 90." */
const TERSE_WORDS = 8;
/** The most values of a kind that a decision has; with more it reports. */
const MOST_VALUES = 3;
/** How close what is decided on is at least to an older statement (their cosine). */
const ALIKE = 0.4;
/** Characters that are read: more than MOST_WORDS words have. */
const LOOKED_AT = 1_000;

/** What agrees to what was said just before, or settles it: "yes, do that", "the second one", "So 4,500.", "12 then". */
const SETTLES = new RegExp(
  [
    "^\\W*(?:(?:yes|yep|yeah|ok(?:ay)?|right|fine|good|great|sure|agreed|done|deal|perfect|no|so)\\b[,.!: ]*)*(?:(?:do|take|use|try|we(?:['’]ll)?|i['’]ll|go(?: (?:with|for|ahead))?|option|then|the (?:\\w+ )?(?:ones?|options?)|the (?:first|second|third|last|latter|former|other)(?=\\W*$|[,.;:!]| please)|all|both|that one)\\b|$)",
    '\\b(?:then|it is|agreed|instead)\\W*(?:$|[.,;])',
    '\\bdo (?:that|it|so|both)\\b',
  ].join('|'),
  'i',
);

/** Turns down what was proposed: "no, 20 MB is too much". "No problem" agrees. */
const REFUSES = /^\W*(?:(?:no|nope|nah)\b(?! (?:more|problem|worries|objection)s?\b)|not\b)/i;
/** Leaves all as it is: "leave it", "we stay with what we have"; "keep them for 90 days" does not. */
const LEAVES =
  /\bleave (?:it|them|that|things|everything)\b(?! (?:to|at|for|with)\b)|\bkeep (?:it|them|that|things|everything|what) (?:as|like|the same|that way|we have)\b|\bstay(?:s|ing)? (?:with|as|the same)\b|\bas (?:it|they|things) (?:is|are)\b|\bas before\b|\bforget (?:it|that|about)\b|\bnot worth\b|\bno need\b/i;
/** What a value takes the place of, or is not: "five instead of six", "not at 9:45". "Not before nine" denies no value. */
const DENIED =
  /\b(?:instead of|in place of|rather than|not) (?:(?:at|on|in|by|for|to) )?(?:the )?[\p{L}\p{N}.,:]*[\p{L}\p{N}]/giu;
/** A sentence that guesses or supposes, or begins with "if". */
const GUESSES =
  /^\W*if\b|\b(?:roughly|approximately|probably|presumably|my guess|at a guess|i (?:guess|suppose|bet)|i['’]d (?:say|guess|bet))\b/i;
const JOKES = /\b(?:(?:ha){2,}h?|lol|joking|kidding)\b|[😂🤣😜]/iu;
/** A clause of what was, is not, is too much or little, or is what a person does: "we had eight then", "9:45 is too late", "I do mine on Fridays". */
const DECIDES_NOTHING = new RegExp(
  [
    '\\b(?:had|was|were|did|used to)\\b',
    "n['’]t\\b|\\b(?:cannot|never|(?:am|are|can|do|does|has|have|is|may|should|will) not)\\b",
    "(?:\\b(?:is|are|feels?|looks?|seems?|sounds?)|['’]s) too\\b",
    "^\\W*(?:i|he|she|they|my|mine|his|her|their)\\b(?!['’]ll\\b| (?:will|want|say)\\b)",
  ].join('|'),
  'i',
);
const END_OF_SENTENCE = /(?<=[.;!?])\s+/;
/** Where a clause ends: "No, four is enough" counts four of nothing. */
const END_OF_CLAUSE = /(?<=[,.;:!?])\s+/;

/**
 * Whether a reply may decide on what it replies to: it is short and has a value of the kind that is asked for, or settles it where none
 * is. "Five, then." names nothing of what it decides; the message before it does.
 */
export function mayDecide(asked: AskedValue, reply: Candidate, proposal: Candidate): boolean {
  const text = textOf(reply);
  if (!isShortAndSettled(reply) || LEAVES.test(text) || JOKES.test(text)) return false;
  const clauses = decidingClauses(text);
  if (asked === 'other') return clauses.length > 0 && SETTLES.test(clauses.join(' ')) && !REFUSES.test(text);
  const values = valuesAsked(asked, decisionIn(reply, proposal));
  return values.length > 0 && values.length <= MOST_VALUES;
}

function isShortAndSettled(candidate: Candidate): boolean {
  const { isQuestion, words } = candidate.evidence;
  return !isQuestion && words <= MOST_WORDS && isSettled(textOf(candidate));
}

function decidingClauses(text: string): string[] {
  return text
    .split(END_OF_SENTENCE)
    .flatMap((sentence) => (GUESSES.test(sentence) ? [] : sentence.split(END_OF_CLAUSE)))
    .filter((clause) => tellsOfChange(clause) || !DECIDES_NOTHING.test(clause));
}

/** The words of a reply that may decide and the values that it decides for: none that it denies, nor, where it refuses, one of the proposal. */
function decisionIn(reply: Candidate, proposal: Candidate): ReadStatement {
  const text = textOf(reply);
  const clauses = decidingClauses(text).map((clause) => readStatement(clause.replace(DENIED, ' ')));
  const refused = REFUSES.test(text) ? readStatement(textOf(proposal)).values : [];
  const words: Word[] = [];
  const values: Value[] = [];
  for (const clause of clauses) {
    const at = words.length;
    const decided = clause.values.filter(
      (value) => !isPronoun(value, clause) && !refused.some((one) => isSame(one, value)),
    );
    values.push(...decided.map((value) => ({ ...value, from: value.from + at, to: value.to + at })));
    words.push(...clause.words);
  }
  return { words, values };
}

/** Where something may be decided. */
export interface Thread {
  /** What is decided on. */
  readonly proposal: Candidate;
  /** What was said in the session after the decision. */
  readonly later: readonly Candidate[];
}

/** What is compared: an older statement, and a decision in its thread. */
interface Decided extends Thread {
  readonly older: Candidate;
  readonly newer: Candidate;
  /** The cosine of the older statement and the proposal. */
  readonly alike: number;
  /** What the older one says. */
  readonly told: ReadStatement;
}

/** Whether a decision takes the place of an older statement: of what it decides on, or of one that this speaks of too. */
export function decidesOtherwise(
  asked: AskedValue,
  subject: ReadonlySet<string>,
  { older, newer, proposal, later, alike, told }: Decided,
): boolean {
  if (!isPlain(newer)) return false;
  const said = { older: told, newer: decisionIn(newer, proposal) };
  if (later.some((one) => isShortAndSettled(one) && returnsTo(asked, told, decisionIn(one, newer)))) return false;
  if (proposal === older)
    return asked !== 'other' && contradicts(asked, said) && !repeatsValueOfIt(asked, subject, said);
  if (older.evidence.isQuestion || proposal.evidence.createdAt <= older.evidence.createdAt) return false;
  if (alike < ALIKE) return false;
  return asked === 'other' || (hasOtherValue(asked, said) && !repeatsValueOfIt(asked, subject, said));
}

/** Whether what is said later in the thread is what the older statement says: "Forget it, we keep six." */
function returnsTo(asked: AskedValue, told: ReadStatement, said: ReadStatement): boolean {
  const before = valuesAsked(asked, told);
  const after = valuesAsked(asked, said);
  const isToldToo = (value: Value) =>
    before.some((old) => isSame(old, value) && (value.unit === '' || value.unit === old.unit));
  return after.length > 0 && after.every(isToldToo);
}

/** Whether a reply says hardly anything beside a decision, settles it in so many words, or tells of a change. */
function isPlain(reply: Candidate): boolean {
  const { words } = reply.evidence;
  const text = textOf(reply);
  return words <= TERSE_WORDS || SETTLES.test(text) || (words <= PLAIN_WORDS && hintsAtChange(text));
}

/** Whether all that a reply says of what it replies to is another value: none of the same, and one of the same unit or of none. */
function contradicts(asked: AskedValue, { older, newer }: Record<'older' | 'newer', ReadStatement>): boolean {
  const before = valuesAsked(asked, older);
  const after = valuesAsked(asked, newer);
  if (after.some((value) => before.some((old) => isSame(value, old)))) return false;
  // "I press the button at 05:00" leaves the day as it is.
  const hasDay = (values: readonly Value[]) => values.some(({ kind }) => kind !== 'clock');
  if (asked === 'date' && hasDay(before) && !hasDay(after)) return false;
  return after.some(({ kind, unit }) => before.some((old) => old.kind === kind && (unit === '' || unit === old.unit)));
}

function isSame(a: Value, b: Value): boolean {
  return a.kind === b.kind && !differ(a, b);
}

/** "An honest one" counts nothing. */
function isPronoun({ from, to }: Value, { words }: ReadStatement): boolean {
  return from === to && words[from]?.lower === 'one';
}

function textOf({ stored }: Candidate): string {
  return recallText(stored.memory).slice(0, LOOKED_AT);
}
