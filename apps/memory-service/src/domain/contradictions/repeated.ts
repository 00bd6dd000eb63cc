import { differ, type Value } from '../text/values.ts';
import type { Word } from '../text/words.ts';
import { isLight } from './statements/light.ts';
import type { Statement } from './statements/statement.ts';

/** Words without which the rest says something else: "the stock is up", "she left the team". */
const TURNS =
  /^(?:up|down|over|off|out|away|only|un\p{L}{4,}|left|quit|stopped|lost|sold|gone|turned|cancelled|ended|failed)$/u;

/**
 * Whether one of two statements says nothing that the other one does not: "Ann is the treasurer" and "Our treasurer is Ann", "Ann is a
 * nurse" and "Ann is a nurse in Rome". Where neither a value nor a "not" differs, both then hold.
 */
export function isRepeated(a: Statement, b: Statement): boolean {
  const isAlike =
    addsNothing(a, b) ||
    addsNothing(b, a) ||
    giveTheSame(a, b) ||
    (areShort(a, b) && nameTheSameValue(a, b) && haveCommonSubject(a, b));
  return isAlike && a.negations.length === b.negations.length && ![a, b].some(({ text }) => COMPARES.test(text));
}

/** The same words in another order are then something else. */
const COMPARES = /\b(?:than|over|rather|prefers?|preferred)\b/i;

/** "Ann owns the billing service", "The owner of billing is Ann" */
function giveTheSame(a: Statement, b: Statement): boolean {
  return a.entries.some((one) =>
    b.entries.some(
      (other) =>
        stemsOf(a, one.given) === stemsOf(b, other.given) && [...one.about].some((stem) => other.about.has(stem)),
    ),
  );
}

function stemsOf({ words }: Statement, places: readonly number[]): string {
  return places
    .map((at) => words[at]?.stem)
    .sort()
    .join(' ');
}

/** "The passport expires in 2031", "passport valid until 2031" */
function nameTheSameValue(a: Statement, b: Statement): boolean {
  return (
    a.values.length === b.values.length &&
    a.values.length > 0 &&
    a.values.every((value) => b.values.some((other) => isSame(value, other)))
  );
}

/** Whether they share a word beside their values: of two that only speak of May each may say what it likes. */
function haveCommonSubject(a: Statement, b: Statement): boolean {
  return [...a.terms].some(
    ([stem, places]) =>
      b.terms.has(stem) && !places.some((at) => a.values.some(({ from, to }) => at >= from && at <= to)),
  );
}

/** Content words of a short statement. */
const SHORT = 6;

function areShort(a: Statement, b: Statement): boolean {
  return a.terms.size <= SHORT && b.terms.size <= SHORT;
}

function addsNothing(one: Statement, other: Statement): boolean {
  const has = new Set(other.words.map(({ stem }) => stem));
  const said = one.words.filter((word, at) => isTelling(word) && !isSaid(one, at, other) && !has.has(word.stem));
  const turns = [one, other].map(({ words }) =>
    words
      .filter(({ lower }) => TURNS.test(lower))
      .map(({ lower }) => lower)
      .join(' '),
  );
  return one.terms.size > 0 && said.length === 0 && turns[0] === turns[1];
}

function isTelling({ isContent, isName, lower }: Word): boolean {
  return (isContent || isName || /\d/.test(lower)) && !isLight(lower);
}

/** Whether a word is of a value that the other statement has in other words: "half past nine" and "9:30". */
function isSaid(one: Statement, at: number, other: Statement): boolean {
  const value = one.values.find(({ from, to }) => at >= from && at <= to);
  return value !== undefined && other.values.some((theirs) => isSame(value, theirs));
}

function isSame(one: Value, other: Value): boolean {
  return one.kind === other.kind && one.unit === other.unit && !differ(one, other);
}
