import { recallText } from '../../memory/memory.ts';
import { differ } from '../../text/values/differ.ts';
import type { Value } from '../../text/values/value.ts';
import type { Word } from '../../text/words/words.ts';
import type { Candidate } from '../evidence/evidence.ts';
import type { AskedValue } from '../question/asked-value.ts';
import { hasOtherValue, hasValue, repeatsValueOfIt, valuesAsked } from './other-value.ts';
import { type ReadStatement, readStatement, type TwoStatements } from './read-statement.ts';
import { hintsAtChange } from './tells-of-change.ts';
import { decidesNothing, decidingClauses, isDecided, refuses, settles } from './verdict-words.ts';

/** The most words of a reply that may decide; a longer text says other things too. */
const MOST_WORDS = 40;
/** The most words of a verdict that takes the place of another statement, if it does not settle anything in so many words. */
const PLAIN_WORDS = 25;
/** The most words of one that says nothing but what is decided: "Back down a bit: 90." */
const TERSE_WORDS = 8;
/** The most values of a kind that a verdict has; with more it reports. */
const MOST_VALUES = 3;
/** How close what is decided on is at least to an older statement (their cosine). */
const ALIKE = 0.4;
/** Characters that are read: more than MOST_WORDS words have. */
const LOOKED_AT = 1_000;

/**
 * What a reply decides that may be the verdict on what it replies to: it is short and has a value of the kind that is asked for, or settles it
 * where none is. "Five, then." names nothing of what it decides; the message before it does.
 * @returns null where it decides nothing
 */
export function verdictOf(asked: AskedValue, reply: Candidate, proposal: Candidate): ReadStatement | null {
  const text = textOf(reply);
  if (!isShortAndDecided(reply) || decidesNothing(text)) return null;
  if (asked === 'other' && (!settles(decidingClauses(text).join(' ')) || refuses(text))) return null;
  const verdict = decidedIn(reply, proposal);
  if (asked === 'other') return verdict.words.length > 0 ? verdict : null;
  const { length: count } = valuesAsked(asked, verdict);
  return count > 0 && count <= MOST_VALUES ? verdict : null;
}

function isShortAndDecided(candidate: Candidate): boolean {
  const { isQuestion, words } = candidate.evidence;
  return !isQuestion && words <= MOST_WORDS && isDecided(textOf(candidate));
}

/** The words of a verdict and the values that it decides for: none that it denies, nor, where it refuses, one of the proposal. */
function decidedIn(reply: Candidate, proposal: Candidate): ReadStatement {
  const text = textOf(reply);
  const clauses = decidingClauses(text).map(readStatement);
  const refused = refuses(text) ? readStatement(textOf(proposal)) : null;
  const words: Word[] = [];
  const values: Value[] = [];
  for (const clause of clauses) {
    const at = words.length;
    const decided = clause.values.filter(
      (value) => !isPronoun(value, clause) && !(refused && hasValue(refused, value)),
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
  readonly verdict: ReadStatement;
  /** What was said in the session after the verdict. */
  readonly later: readonly Candidate[];
}

/** What is compared: an older statement, and a verdict in its thread. */
interface Decided extends Thread {
  readonly older: Candidate;
  readonly newer: Candidate;
  /** The cosine of the older statement and the proposal. */
  readonly alike: number;
  /** What the older one says. */
  readonly told: ReadStatement;
}

/** Whether a verdict takes the place of an older statement: of what it decides on, or of one that this speaks of too. */
export function overrules(
  asked: AskedValue,
  subject: ReadonlySet<string>,
  { older, newer, proposal, verdict, later, alike, told }: Decided,
): boolean {
  const said = { older: told, newer: verdict };
  const isOther =
    proposal === older
      ? asked !== 'other' && isPlain(newer) && contradicts(asked, said)
      : isAboutSame({ older, proposal, alike }) && isPlain(newer) && (asked === 'other' || hasOtherValue(asked, said));
  if (!isOther || (asked !== 'other' && repeatsValueOfIt(asked, subject, said))) return false;
  return !later.some((one) => isShortAndDecided(one) && returnsTo(asked, told, decidedIn(one, newer)));
}

/** Whether a proposal is about what an older statement says. */
function isAboutSame({ older, proposal, alike }: Pick<Decided, 'older' | 'proposal' | 'alike'>): boolean {
  return !older.evidence.isQuestion && proposal.evidence.createdAt > older.evidence.createdAt && alike >= ALIKE;
}

/** Whether what is said later in the thread is what the older statement says: "Forget it, we keep six." */
function returnsTo(asked: AskedValue, told: ReadStatement, said: ReadStatement): boolean {
  const before = valuesAsked(asked, told);
  const after = valuesAsked(asked, said);
  const isToldToo = (value: Value) =>
    before.some(
      (old) => old.kind === value.kind && !differ(old, value) && (value.unit === '' || value.unit === old.unit),
    );
  return after.length > 0 && after.every(isToldToo);
}

/** Whether a reply says hardly anything beside what it decides, settles it in so many words, or tells of a change. */
function isPlain(reply: Candidate): boolean {
  const { words } = reply.evidence;
  const text = textOf(reply);
  return words <= TERSE_WORDS || settles(text) || (words <= PLAIN_WORDS && hintsAtChange(text));
}

/** Whether all that a reply says of what it replies to is another value: none of the same, and one of the same unit or of none. */
function contradicts(asked: AskedValue, { older, newer }: TwoStatements): boolean {
  const before = valuesAsked(asked, older);
  const after = valuesAsked(asked, newer);
  if (after.some((value) => hasValue(older, value))) return false;
  // "I press the button at 05:00" leaves the day as it is.
  const hasDay = (values: readonly Value[]) => values.some(({ kind }) => kind !== 'clock');
  if (asked === 'date' && hasDay(before) && !hasDay(after)) return false;
  return after.some(({ kind, unit }) => before.some((old) => old.kind === kind && (unit === '' || unit === old.unit)));
}

/** "An honest one" counts nothing. */
function isPronoun({ from, to }: Value, { words }: ReadStatement): boolean {
  return from === to && words[from]?.lower === 'one';
}

function textOf({ stored }: Candidate): string {
  return recallText(stored.memory).slice(0, LOOKED_AT);
}
