import { differ } from '../../text/values/differ.ts';
import type { Value, ValueKind } from '../../text/values/value.ts';
import type { Word } from '../../text/words/words.ts';
import { type AskedValue, VALUE_KINDS } from '../question/asked-value.ts';
import type { ReadStatement, TwoStatements } from './read-statement.ts';

/** Values that measure or date something; identifiers name things. */
const MEASURES: ReadonlySet<ValueKind> = new Set(['number', 'clock', 'weekday', 'date', 'version']);
/** How many words on either side of a value, within its sentence, tell what it is a value of. */
const BESIDE = 6;

/** The values of a statement of the kind that is asked for. */
export function valuesAsked(asked: AskedValue, { values }: ReadStatement): Value[] {
  return values.filter(({ kind }) => VALUE_KINDS[asked].has(kind));
}

/** Whether the newer statement has another value of the kind that is asked for. */
export function hasOtherValue(asked: AskedValue, { older, newer }: TwoStatements): boolean {
  const kinds = VALUE_KINDS[asked];
  return older.values.some((a) => kinds.has(a.kind) && newer.values.some((b) => isComparable(a, b) && differ(a, b)));
}

/**
 * Whether two statements have different values of the same thing: each value stands beside words of the question, in its own
 * sentence, and of one statement those count that stand beside most. "Thursday until 20:00" and "open on Thursday until 21:00" do
 * where Thursday is in the question, however little else they have in common.
 * @param subject stems of the words of the question that tell it
 */
export function hasOtherValueOfIt(
  asked: AskedValue,
  subject: ReadonlySet<string>,
  { older, newer }: TwoStatements,
): boolean {
  const after = valuesOfIt(asked, subject, newer);
  if (after.length === 0) return false;
  const before = valuesOfIt(asked, subject, older);
  return after.some((value) => before.some((old) => isComparable(old, value)) && !hasValue(older, value));
}

/** Whether a later statement says of what is asked for the same as the older one: its values beside words of the question stand there too. */
export function repeatsValueOfIt(
  asked: AskedValue,
  subject: ReadonlySet<string>,
  { older, newer }: TwoStatements,
): boolean {
  const told = valuesOfIt(asked, subject, newer);
  return told.length > 0 && told.every((value) => hasValue(older, value));
}

/** Whether a statement has a value, however it is written. */
export function hasValue({ values }: ReadStatement, value: Value): boolean {
  return values.some((one) => one.kind === value.kind && !differ(one, value));
}

/** The values of the kind that is asked for that stand beside most words of the question, if beside any. */
function valuesOfIt(asked: AskedValue, subject: ReadonlySet<string>, statement: ReadStatement): Value[] {
  const { words } = statement;
  if (!words.some((word) => isOfSubject(subject, word))) return [];
  const kinds = asked === 'other' ? MEASURES : VALUE_KINDS[asked];
  const counted = statement.values.flatMap((value) =>
    kinds.has(value.kind) ? { value, count: wordsBeside(subject, words, value) } : [],
  );
  const most = Math.max(1, ...counted.map(({ count }) => count));
  return counted.flatMap(({ value, count }) => (count === most ? value : []));
}

/** The number of different words of the question beside a value. */
function wordsBeside(subject: ReadonlySet<string>, words: readonly Word[], { from, to }: Value): number {
  const found = new Set<string>();
  const look = (at: number) => {
    const word = words[at] as Word;
    if (isOfSubject(subject, word)) found.add(word.stem);
  };
  for (let at = from; at > 0 && at > from - BESIDE && !words[at]?.startsSentence; at--) look(at - 1);
  for (let at = to + 1; at <= to + BESIDE && words[at] && !words[at]?.startsSentence; at++) look(at);
  return found.size;
}

function isOfSubject(subject: ReadonlySet<string>, { isContent, stem }: Word): boolean {
  return isContent && subject.has(stem);
}

/** Numbers without a unit are compared with any. */
function isComparable(a: Value, b: Value): boolean {
  return a.kind === b.kind && (a.unit === b.unit || a.unit === '' || b.unit === '');
}
