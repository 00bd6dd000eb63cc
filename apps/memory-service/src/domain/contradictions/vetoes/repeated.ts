import { areSpans, differ } from '../../text/values/differ.ts';
import type { Value } from '../../text/values/value.ts';
import type { Word } from '../../text/words/words.ts';
import type { Entry } from '../statements/entries.ts';
import { isLight } from '../statements/light.ts';
import { areShort, type Statement, stemsAt } from '../statements/statement.ts';

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
  return (
    isAlike &&
    a.negations.length === b.negations.length &&
    ![a, b].some(({ text }) => COMPARES.test(text)) &&
    !areExchanged(a, b)
  );
}

/** Words with which another order of the same words says something else. */
const COMPARES = /\b(?:than|over|rather|prefers?|preferred)\b/i;

/** Verbs whose two sides may change places without another meaning. */
const MUTUAL = /^(?:married|engaged|meets?|met|knows?|talks?|talked|shares?|equals?)$/;

/** Whether what stands before a word and what stands after it have changed places: "Ann reports to Bob", "Bob reports to Ann". */
function areExchanged(a: Statement, b: Statement): boolean {
  const [mine, theirs] = [placesIn(a), placesIn(b)];
  return a.words.some(({ lower, isContent, isName }, at) => {
    if (isName || !(isContent || /^(?:before|after)$/.test(lower)) || MUTUAL.test(lower)) return false;
    return b.words.some((word, place) => {
      if (word.lower !== lower) return false;
      const [one, other] = [mine(at), theirs(place)];
      return one.standing === other.standing && (isExchangedIn(one, other) || isExchangedIn(other, one));
    });
  });
}

/** Whether the second statement has all of the first one with the sides exchanged. It may have more. */
function isExchangedIn(one: Place, other: Place): boolean {
  const isBetween = one.before.size > 0 && one.after.size > 0;
  return isBetween && hasAll(other.after, one.before) && hasAll(other.before, one.after);
}

function hasAll(stems: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
  for (const stem of wanted) if (!stems.has(stem)) return false;
  return true;
}

/** A word in a statement. */
interface Place {
  /** Stems of what is told before and after it. */
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
  /** Where it is another, the things are in their places: "Ann led the team", "The team is led by Ann"; "Ann is the team lead", "The team lead is Ann". */
  readonly standing: string;
}

/** The place of each word by its position. Each is read once: one word may stand in both statements hundreds of times. */
function placesIn({ words }: Statement): (at: number) => Place {
  const is = words.findIndex(({ lower }) => IS.test(lower));
  const told = words.map((word) => (isTelling(word) ? [word.stem] : []));
  const known: Place[] = [];
  return (at) => {
    known[at] ??= {
      before: new Set(told.slice(0, at).flat()),
      after: new Set(told.slice(at + 1).flat()),
      standing: `${is === -1 ? 'alone' : at > is} ${words[at + 1]?.lower === 'by'}`,
    };
    return known[at];
  };
}

const IS = /^(?:is|are|was|were|remains)$/;

/** "Ann owns the billing service", "The owner of billing is Ann" */
function giveTheSame(a: Statement, b: Statement): boolean {
  return a.entries.some((one) =>
    b.entries.some(
      (other) => namedIn(a, one) === namedIn(b, other) && [...one.about].some((stem) => other.about.has(stem)),
    ),
  );
}

function namedIn(statement: Statement, { given }: Entry): string {
  return stemsAt(statement, given).sort().join(' ');
}

/** "The passport expires in 2031", "passport valid until 2031" */
function nameTheSameValue(a: Statement, b: Statement): boolean {
  return a.values.length === b.values.length && namesNothingElse(a, b) && namesNothingElse(b, a);
}

function namesNothingElse(one: Statement, other: Statement): boolean {
  return (
    one.values.some((value) => !isNaming(one, value, other)) &&
    one.values.every((value) => other.values.some((theirs) => isSame(value, theirs)))
  );
}

/** Whether a value tells which thing is meant, and not what is said of it: "hive 3 is queenless", "saw the queen in hive 3". */
function isNaming(one: Statement, { kind, unit, from }: Value, other: Statement): boolean {
  if (kind === 'identifier' || kind === 'version') return true;
  if (kind !== 'number' || unit !== '') return false;
  const [before, number] = [one.words[from - 1], one.words[from]];
  return other.words.some(
    ({ stem }, at) => before?.isContent && stem === before.stem && other.words[at + 1]?.lower === number?.lower,
  );
}

/** Whether they share a word beside their values. Two statements with only a date in common are about different things. */
function haveCommonSubject(a: Statement, b: Statement): boolean {
  return [...a.terms].some(
    ([stem, places]) =>
      b.terms.has(stem) && !places.some((at) => a.values.some(({ from, to }) => at >= from && at <= to)),
  );
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
  return one.kind === other.kind && (one.unit === other.unit || areSpans(one, other)) && !differ(one, other);
}
