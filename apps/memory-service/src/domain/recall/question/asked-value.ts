import { differ } from '../../text/values/differ.ts';
import type { Value, ValueKind } from '../../text/values/value.ts';
import { valuesOf } from '../../text/values/values-of.ts';
import { type Word, wordsOf } from '../../text/words/words.ts';

/** What a question asks for: a value that can be compared, or something else, such as a name. */
export type AskedValue = 'clock' | 'weekday' | 'date' | 'number' | 'other';

/** Values that measure or date something; identifiers name things. */
const MEASURES: ReadonlySet<ValueKind> = new Set(['number', 'clock', 'weekday', 'date', 'version']);
const KINDS: Readonly<Record<AskedValue, ReadonlySet<ValueKind>>> = {
  clock: new Set(['clock']),
  weekday: new Set(['weekday']),
  date: new Set(['date', 'weekday', 'year', 'clock']),
  number: new Set(['number']),
  other: new Set(),
};
const WHO_OR_WHERE = /^(?:\w+ ){0,2}?(?:who|whom|whose|where)\b/i;
const ASKS: readonly (readonly [AskedValue, RegExp])[] = [
  ['other', WHO_OR_WHERE],
  ['date', /\b(?:what|which) days?\b.* what (?:time|hour)\b|\bwhat (?:time|hour)\b.* (?:what|which) days?\b/i],
  // "The response time of the server" is a span.
  ['clock', /\b(?:what time|what hour)\b|(?:^\W*|\bthe )time of (?:the|our|my|your|his|her|their)\b/i],
  ['weekday', /\bweekday\b/i],
  ['date', /\bwhen\b|\b(?:which|what) (?:date|day|month|year|week)s?\b|\b(?:deadline|date (?:of|for))\b/i],
  [
    'number',
    /\bhow (?:many|much|long|often|far|old|large|big|high|deep|fast|heavy|tall|wide)\b|\b(?:amount|average|budget|capacity|code(?= (?:of|for|to)\b|\W*$)|contribution|cost|count|coverage|depth|dosage|dose|fee|goal|height|length|limit|number|percentage|pressure|price|quota|rate|rent|salary|size|target|temperature|total|value|weight|width)\b/i,
  ],
];

/** Whether a question asks for a person or a place, of which no measure tells. */
export function asksWhoOrWhere(question: string): boolean {
  return WHO_OR_WHERE.test(question);
}

export function askedValue(question: string): AskedValue {
  return ASKS.find(([, pattern]) => pattern.test(question))?.[0] ?? 'other';
}

/** How many words on either side of a value, within its sentence, tell what it is a value of. */
const BESIDE = 6;

/** The words of a statement and its exact values. */
export interface ReadStatement {
  readonly words: readonly Word[];
  readonly values: readonly Value[];
}

/** Its values are read when somebody asks for them: they take longer than the words. */
export function readStatement(text: string): ReadStatement {
  const words = wordsOf(text);
  let values: readonly Value[] | null = null;
  return {
    words,
    get values() {
      values ??= valuesOf(words);
      return values;
    },
  };
}

/** Whether a text tells a value of the kind that is asked for; every text does where none is. */
export function tellsValue(asked: AskedValue, text: string): boolean {
  return asked === 'other' || readStatement(text).values.some(({ kind }) => KINDS[asked].has(kind));
}

/** Two statements, of which the newer may replace the older. */
interface TwoStatements {
  readonly older: ReadStatement;
  readonly newer: ReadStatement;
}

/** The values of a statement of the kind that is asked for. */
export function valuesAsked(asked: AskedValue, { values }: ReadStatement): Value[] {
  return values.filter(({ kind }) => KINDS[asked].has(kind));
}

/** Whether the newer statement has another value of the kind that is asked for. */
export function hasOtherValue(asked: AskedValue, { older, newer }: TwoStatements): boolean {
  const kinds = KINDS[asked];
  return older.values.some((a) => kinds.has(a.kind) && newer.values.some((b) => isComparable(a, b) && differ(a, b)));
}

/**
 * Whether two statements have different values of the same thing: each value stands beside words of the question, in its own
 * sentence, and of one statement those count that stand beside most. "Thursday until 20:00" and "open on Thursday until 21:00" do
 * where Thursday is in the question, however little else they have in common.
 * @param question stems of its words that tell a subject
 */
export function hasOtherValueOfIt(
  asked: AskedValue,
  question: ReadonlySet<string>,
  { older, newer }: TwoStatements,
): boolean {
  const after = valuesOfIt(asked, question, newer);
  if (after.length === 0) return false;
  const before = valuesOfIt(asked, question, older);
  return after.some((value) => before.some((old) => isComparable(old, value)) && !hasValue(older, value));
}

/** Whether a later statement says of what is asked for the same as the older one: its values beside words of the question stand there too. */
export function repeatsValueOfIt(
  asked: AskedValue,
  question: ReadonlySet<string>,
  { older, newer }: TwoStatements,
): boolean {
  const told = valuesOfIt(asked, question, newer);
  return told.length > 0 && told.every((value) => hasValue(older, value));
}

/** Whether a statement has a value, however it is written. */
export function hasValue({ values }: ReadStatement, value: Value): boolean {
  return values.some((one) => one.kind === value.kind && !differ(one, value));
}

/** The values of the kind that is asked for that stand beside most words of the question, if beside any. */
function valuesOfIt(asked: AskedValue, question: ReadonlySet<string>, statement: ReadStatement): Value[] {
  const { words } = statement;
  if (!words.some((word) => isAsked(question, word))) return [];
  const kinds = asked === 'other' ? MEASURES : KINDS[asked];
  const counted = statement.values.flatMap((value) =>
    kinds.has(value.kind) ? { value, count: wordsBeside(question, words, value) } : [],
  );
  const most = Math.max(1, ...counted.map(({ count }) => count));
  return counted.flatMap(({ value, count }) => (count === most ? value : []));
}

/** The number of different words of the question beside a value. */
function wordsBeside(question: ReadonlySet<string>, words: readonly Word[], { from, to }: Value): number {
  const found = new Set<string>();
  const look = (at: number) => {
    const word = words[at] as Word;
    if (isAsked(question, word)) found.add(word.stem);
  };
  for (let at = from; at > 0 && at > from - BESIDE && !words[at]?.startsSentence; at--) look(at - 1);
  for (let at = to + 1; at <= to + BESIDE && words[at] && !words[at]?.startsSentence; at++) look(at);
  return found.size;
}

function isAsked(question: ReadonlySet<string>, { isContent, stem }: Word): boolean {
  return isContent && question.has(stem);
}

/** Numbers without a unit are compared with any. */
function isComparable(a: Value, b: Value): boolean {
  return a.kind === b.kind && (a.unit === b.unit || a.unit === '' || b.unit === '');
}
