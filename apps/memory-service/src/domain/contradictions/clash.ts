import { isRegion } from '../text/regions.ts';
import { areSpans, differ, isBareVersion } from '../text/values/differ.ts';
import type { Value, ValueKind } from '../text/values/value.ts';
import type { Word } from '../text/words.ts';
import type { Entry } from './statements/entries.ts';
import { likingOf, oppositesIn, tellApart } from './statements/opposites.ts';
import { type Statement, stemsAt } from './statements/statement.ts';

/** Why two statements contradict each other. */
export type Reason =
  | 'negation'
  | 'antonym'
  | 'number'
  | 'date'
  | 'version'
  | 'name'
  | 'exclusive_choice'
  | 'preference'
  | 'state';

/** Evidence for a contradiction in the words of two statements. */
export interface Clash {
  readonly reason: Reason;
  /** 0..1 */
  readonly strength: number;
  /** Positions of the clashing words on each side. */
  readonly a: readonly number[];
  readonly b: readonly number[];
}

/** The overlap of two statements. */
export interface Overlap {
  /** Shared stems. */
  readonly shared: readonly string[];
  /** The share of the shorter statement's weight that the other has too, 0..1. */
  readonly share: number;
  /** Whether both sides name the same name or identifier, or the user. */
  readonly isAnchored: boolean;
}

const NAME_WEIGHT = 2;
/** The reason that each kind of value gives. */
const REASONS: Readonly<Record<Exclude<ValueKind, 'identifier'>, Reason>> = {
  number: 'number',
  clock: 'date',
  weekday: 'date',
  date: 'date',
  year: 'date',
  version: 'version',
};

export function overlapOf(a: Statement, b: Statement): Overlap {
  const shared = [...a.terms.keys()].filter((stem) => b.terms.has(stem));
  const bothOfUser = a.isOfUser && b.isOfUser;
  const common = weightOf(shared, a, b) + (bothOfUser ? 1 : 0);
  const least = Math.min(weightOfAll(a), weightOfAll(b)) + (bothOfUser ? 1 : 0);
  const isNamed = shared.some((stem) => a.names.has(stem) || b.names.has(stem));
  return { shared, share: least === 0 ? 0 : common / least, isAnchored: isNamed || bothOfUser };
}

/** The clashes of two statements, strongest first. clashesOf(b, a) gives the same ones with the sides exchanged. */
export function clashesOf(a: Statement, b: Statement, overlap: Overlap): Clash[] {
  const found = [
    ...valueClashes(a, b),
    likingClash(a, b),
    orderClash(a, b),
    oppositeClash(a, b),
    negationClash(a, b, overlap),
    entryClash(a, b),
    nameClash(a, b, overlap),
  ];
  return found
    .filter((clash) => clash !== null)
    .filter((clash) => !isPlaceInRegion(a, b, clash))
    .sort((x, y) => y.strength - x.strength);
}

const OF_PLACES: ReadonlySet<Reason> = new Set(['name', 'state', 'exclusive_choice']);

/** Whether one is a country and the other a place that may lie in it: "in Frankfurt", "in Germany". */
function isPlaceInRegion(a: Statement, b: Statement, clash: Clash): boolean {
  return OF_PLACES.has(clash.reason) && isOfRegion(a, clash.a) !== isOfRegion(b, clash.b);
}

/** Whether words say where, and name a country: "in the EU". Jordan is a name of somebody too. */
function isOfRegion({ words }: Statement, places: readonly number[]): boolean {
  const [from = 0] = places;
  const name = places.map((at) => words[at]?.lower).join(' ');
  const before = words[from - 1]?.lower === 'the' ? words[from - 2] : words[from - 1];
  return /^(?:in|within|from|to|leaves?)$/.test(before?.lower ?? '') && isRegion(name);
}

/** Whether both sides name the same value, or deny the same word. Where nothing clashes, they say one thing in other words. */
export function areAgreed(a: Statement, b: Statement): boolean {
  const isSameValue = a.values.some((one) =>
    b.values.some((other) => one.kind !== 'identifier' && areComparable(one, other) && !differ(one, other)),
  );
  const denied = new Set(stemsAt(a, a.negated));
  const isSameDenial = stemsAt(b, b.negated).some((stem) => denied.has(stem) && a.terms.has(stem));
  return isSameValue || isSameDenial;
}

/** How many content words only one side has, except those at some positions. */
export function unlikeTerms(one: Statement, other: Statement, beside: readonly number[] = []): number {
  let count = 0;
  for (const [stem, places] of one.terms) {
    if (!other.terms.has(stem) && !places.some((at) => beside.includes(at))) count++;
  }
  return count;
}

/** The words that only one side has, which a reader compares where no kind of clash is found. */
export function unlikeWords(a: Statement, b: Statement): Pick<Clash, 'a' | 'b'> {
  const rest = (one: Statement, other: Statement) =>
    [...one.terms].flatMap(([stem, places]) => (other.terms.has(stem) ? [] : places)).slice(0, MOST_UNLIKE);
  return { a: rest(a, b), b: rest(b, a) };
}

const MOST_UNLIKE = 6;

/** Values of one kind and unit of which both sides name none in common: the first pair for each reason. */
function valueClashes(a: Statement, b: Statement): Clash[] {
  const pairs = a.values.flatMap((one, at) =>
    b.values.flatMap((other, place) => {
      const sides = [
        { word: keyOf(one), place: at },
        { word: keyOf(other), place },
      ] as const;
      return areComparable(one, other) || isLabelled(one, a, { other, b }) ? [{ one, other, sides }] : [];
    }),
  );
  const agreed = new Set(
    pairs.filter(({ one, other }) => !differ(one, other)).flatMap(({ one, other }) => [one, other]),
  );
  const clashing = pairs.filter(({ one, other }) => !agreed.has(one) && !agreed.has(other));
  return [...new Set(Object.values(REASONS))].flatMap((reason) => {
    const of = clashing.filter((pair) => reasonOf(pair) === reason);
    const best = foremost(of, strengthOf);
    return best ? [{ reason, strength: strengthOf(best), a: placesOf(best.one), b: placesOf(best.other) }] : [];
  });
}

/** Of a version and a bare number it is the version. */
function reasonOf({ one, other }: { one: Value; other: Value }): Reason {
  const { kind } = other.kind === 'version' ? other : one;
  return REASONS[kind as keyof typeof REASONS];
}

/** Strength of a pair of values; bare numbers may count different things. */
function strengthOf({ one, other }: { one: Value; other: Value }): number {
  const isNumber = one.kind === 'number' || other.kind === 'number';
  return isNumber && (one.unit === '' || other.unit === '') ? 0.5 : 0.9;
}

function keyOf({ kind, unit, value }: Value): string {
  return `${kind} ${unit} ${value}`;
}

interface Side {
  readonly word: string;
  /** Position among the words or values of its statement. */
  readonly place: number;
}

interface Found {
  /** No two candidates have the same words on exchanged sides: neither order would then be the first. */
  readonly sides: readonly [Side, Side];
}

/** The strongest candidate, of equal ones the first; the same when the sides are exchanged. */
function foremost<F extends Found>(found: readonly F[], strength: (one: F) => number): F | undefined {
  return found.toSorted((x, y) => strength(y) - strength(x) || inOrder(x.sides, y.sides))[0];
}

/** By the sum of the places, then by the words, then by the place of the word that sorts first. */
function inOrder(x: Found['sides'], y: Found['sides']): number {
  const [[x1, x2], [y1, y2]] = [byWord(x), byWord(y)];
  return (
    x1.place + x2.place - (y1.place + y2.place) ||
    compared(x1.word, y1.word) ||
    compared(x2.word, y2.word) ||
    x1.place - y1.place
  );
}

function byWord([a, b]: Found['sides']): Found['sides'] {
  return a.word <= b.word ? [a, b] : [b, a];
}

function compared(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function areComparable(a: Value, b: Value): boolean {
  if (a.kind !== b.kind || a.kind === 'identifier') return false;
  return a.unit === b.unit || areSpans(a, b) || isBareVersion(a) || isBareVersion(b);
}

/**
 * Whether a bare number counts what the other one does, as its text names it elsewhere: "word count: 48,000" and "62,000 words". "The
 * release is 2.9" says a version.
 */
function isLabelled(one: Value, a: Statement, { other, b }: { other: Value; b: Statement }): boolean {
  const kinds = [one, other].map(({ kind }) => kind);
  if (kinds.includes('version') && kinds.includes('number')) return [one, other].every(isDecimal);
  if (one.kind !== 'number' || other.kind !== 'number') return false;
  return (one.unit === '' && a.terms.has(other.unit)) || (other.unit === '' && b.terms.has(one.unit));
}

function isDecimal({ kind, unit, value }: Value): boolean {
  return kind === 'version' || (unit === '' && !Number.isInteger(value));
}

function placesOf({ from, to }: Value): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** One side likes what the other dislikes; a negation reverses a side. */
function likingClash(a: Statement, b: Statement): Clash | null {
  const [mine, theirs] = [likingIn(a), likingIn(b)];
  if (!mine || !theirs || mine.liking === theirs.liking) return null;
  return { reason: 'preference', strength: a.isOfUser && b.isOfUser ? 0.7 : 0.5, a: [mine.at], b: [theirs.at] };
}

function likingIn(statement: Statement): { liking: number; at: number } | null {
  for (const [at, { stem }] of statement.words.entries()) {
    const liking = likingOf(stem);
    if (liking !== 0) return { liking: statement.negated.has(at) ? -liking : liking, at };
  }
  return null;
}

/** Each side prefers what the other one puts second: "trains to planes" and "planes over trains". */
function orderClash(a: Statement, b: Statement): Clash | null {
  const [mine, theirs] = [preferenceIn(a), preferenceIn(b)];
  if (!mine || !theirs) return null;
  const isReversed = haveCommonStem(a, mine.first, b, theirs.second) && haveCommonStem(a, mine.second, b, theirs.first);
  const isSame = haveCommonStem(a, mine.first, b, theirs.first) || haveCommonStem(a, mine.second, b, theirs.second);
  if (!isReversed || isSame) return null;
  const places = ({ first, second }: Preference) => [...first, ...second];
  return { reason: 'preference', strength: 0.7, a: places(mine), b: places(theirs) };
}

/** Positions of the words for what is preferred, and for what it is preferred to. */
interface Preference {
  readonly first: readonly number[];
  readonly second: readonly number[];
}

const PREFERS = new Set(['prefer', 'rather']);
const TO_WHAT = new Set(['to', 'over', 'than']);
/** The words of each of the two things that are read. */
const PREFERENCE_REACH = 5;

function preferenceIn({ words, negated }: Statement): Preference | null {
  const from = words.findIndex(({ stem }) => PREFERS.has(stem));
  if (from === -1 || negated.has(from)) return null;
  const to = words.findIndex(({ lower }, at) => at > from + 1 && TO_WHAT.has(lower));
  if (to === -1 || to > from + 1 + PREFERENCE_REACH) return null;
  const contentIn = (start: number, end: number) =>
    words.slice(start, end).flatMap(({ isContent }, index) => (isContent ? [start + index] : []));
  return { first: contentIn(from + 1, to), second: contentIn(to + 1, to + 1 + PREFERENCE_REACH) };
}

function haveCommonStem(a: Statement, mine: readonly number[], b: Statement, theirs: readonly number[]): boolean {
  const stems = new Set(stemsAt(a, mine));
  return stemsAt(b, theirs).some((stem) => stems.has(stem));
}

/** Opposite words that do not both stand on both sides, where both are negated or neither is. */
function oppositeClash(a: Statement, b: Statement): Clash | null {
  const opposites = oppositesIn(a.words, b.words);
  if (opposites.length === 0) return null;
  const [mine, yours] = [stemsOf(a), stemsOf(b)];
  const found = opposites.flatMap(([at, other]) => {
    const [word, theirs] = [a.words[at] as Word, b.words[other] as Word];
    const isOnBoth = yours.has(word.stem) && mine.has(theirs.stem);
    const isClash = !isOnBoth && isDenied(a, at) === isDenied(b, other);
    const sides = [
      { word: word.stem, place: at },
      { word: theirs.stem, place: other },
    ] as const;
    return isClash ? [{ at, other, sides }] : [];
  });
  // Words that tell two things apart say nothing of them: the north gate is locked, the south gate unlocked.
  const best = foremost(found, ({ sides: [one, another] }) => Number(!tellApart(one.word, another.word)));
  return best ? { reason: 'antonym', strength: 0.7, a: [best.at], b: [best.other] } : null;
}

/** Also "may" and "can" before "not", and "costs nothing". */
function isDenied({ words, negated, negations }: Statement, at: number): boolean {
  if (words[at + 1]?.lower === 'nothing') return true;
  return negated.has(at) || (/^(?:may|can)$/.test(words[at]?.lower ?? '') && negations.includes(at + 1));
}

function stemsOf({ words }: Statement): ReadonlySet<string> {
  return new Set(words.map(({ stem }) => stem));
}

/** One side denies a word that the other affirms. */
function negationClash(a: Statement, b: Statement, { shared }: Overlap): Clash | null {
  if (a.negations.length > 0 === b.negations.length > 0) return null;
  const [denying, saying] = a.negations.length > 0 ? [a, b] : [b, a];
  const denied = shared.filter((stem) => denying.terms.get(stem)?.some((at) => denying.negated.has(at)));
  if (denied.length === 0) return null;
  const places = [...denying.negations, ...denied.flatMap((stem) => denying.terms.get(stem) ?? [])].sort(
    (x, y) => x - y,
  );
  const said = denied.flatMap((stem) => saying.terms.get(stem) ?? []);
  // A double negation affirms: "Not a month goes by without".
  const once = isOutright(denying, saying) ? OUTRIGHT : DENIAL;
  const isClear = denying.negations.length === 1 && isFocusShared(denying, saying) && !ENDS.test(saying.text);
  const strength = isClear ? once : 0.3;
  return denying === a
    ? { reason: 'negation', strength, a: places, b: said }
    : { reason: 'negation', strength, a: said, b: places };
}

/** What says without a "not" that something is no more, or is not to be: "training got cancelled" and "no training" say the same. */
const ENDS =
  /\b(?:cancel(?:s|l?ed)|(?:called|calling) off|g[ai]v(?:e|es|en|ing) up|out of|free of|from \w+ing|sold|ban(?:s|ned)?|forbid(?:s|den)?|forbade|freezes?|frozen|prohibit(?:s|ed)?|avoids?|yet to)\b/i;

/** Whether the other side has the first thing that is denied: "isn't the treasurer of the club" denies no other office in it. */
function isFocusShared(denying: Statement, saying: Statement): boolean {
  const focus = denying.words.find(({ isContent, isName }, at) => denying.negated.has(at) && (isContent || isName));
  return focus === undefined || saying.terms.has(focus.stem);
}

/** The strength of a denial of what the other side says, and of an outright one. */
export const DENIAL = 0.7;
export const OUTRIGHT = 0.9;

/**
 * Whether one side says that something never happened and the other that it did: the other has the denied verb, the thing after it,
 * and every name that is denied. "I've never used the camera of the tablet" denies no other use of the tablet.
 */
function isOutright(denying: Statement, saying: Statement): boolean {
  const [at] = denying.negations;
  if (at === undefined || denying.words[at]?.lower !== 'never') return false;
  const denied = denying.words.filter(
    ({ isContent, isName }, place) => denying.negated.has(place) && (isContent || isName),
  );
  const [verb, thing] = denied;
  return (
    verb !== undefined &&
    thing !== undefined &&
    denied.every((word, place) => (place > 1 && !word.isName) || saying.terms.has(word.stem))
  );
}

/** Both give one thing something else: "payroll contact: Ingrid" and "The payroll contact is Joao". */
function entryClash(a: Statement, b: Statement): Clash | null {
  const found = a.entries.flatMap((one) =>
    b.entries.flatMap((other) => {
      const closeness = closenessOf(one, other);
      const isOther =
        closeness > 0 && areOfOneKind(one, other) && !isSaidBeside(a, one, b) && !isSaidBeside(b, other, a);
      const sides = [
        { word: one.given.join(' '), place: one.given[0] as number },
        { word: other.given.join(' '), place: other.given[0] as number },
      ] as const;
      return isOther ? [{ one, other, sides, strength: closeness }] : [];
    }),
  );
  const best = foremost(found, ({ strength }) => strength);
  if (!best) return null;
  const { one, other, strength } = best;
  const areNames = areNamed(a, one) && areNamed(b, other);
  return { reason: areNames ? 'name' : REASON_OF_ENTRY[kindOf(one, other)], strength, a: one.given, b: other.given };
}

/** Whether the other statement says it too, in this place or beside it: "on loan to Vienna" and "in Vienna on loan". */
function isSaidBeside(one: Statement, { given }: Entry, { terms }: Statement): boolean {
  return stemsAt(one, given).some((stem) => terms.has(stem));
}

function areNamed({ words }: Statement, { given }: Entry): boolean {
  return given.every((at) => words[at]?.isName);
}

const REASON_OF_ENTRY = { name: 'name', place: 'state', 'filled in': 'exclusive_choice' } as const;

function kindOf(one: Entry, other: Entry): Entry['kind'] {
  return one.kind === 'filled in' ? other.kind : one.kind;
}

function areOfOneKind(one: Entry, other: Entry): boolean {
  return one.kind === other.kind || one.kind === 'filled in' || other.kind === 'filled in';
}

/** How surely two entries are about one thing: by how many words one says more than the other. */
function closenessOf(one: Entry, other: Entry): number {
  const [less, more] = one.about.size <= other.about.size ? [one.about, other.about] : [other.about, one.about];
  if ([...less].some((stem) => !more.has(stem)) || isBeside(one) !== isBeside(other)) return 0;
  const steps = more.size - less.size + Number(areOnTwoScales(one, other));
  return CLOSENESS[steps] ?? 0;
}

/** Whether an entry gives a place by its neighbour. "Near the station" and "in Berlin" may both be true. */
function isBeside({ by = '' }: Entry): boolean {
  return /^(?:near|beside|opposite)$/.test(by);
}

/** Whether one place may lie in the other one: "in Berlin", "on the third floor". */
function areOnTwoScales({ by: one = '' }: Entry, { by: other = '' }: Entry): boolean {
  return one !== other && WIDE.has(one) && WIDE.has(other);
}

const WIDE = new Set(['in', 'on', 'at', 'behind']);
/** The strength if both entries name their subject with the same words. */
export const OF_ONE_ENTRY = 0.9;
/** Strength by the number of words that one entry adds to the subject. */
const CLOSENESS = [OF_ONE_ENTRY, 0.7, 0.5];

/** Each side names somebody whom the other does not. */
function nameClash(a: Statement, b: Statement, { shared }: Overlap): Clash | null {
  if (shared.length + Number(a.isOfUser && b.isOfUser) < 2) return null;
  const only = (one: Statement, other: Statement) =>
    [...one.names]
      .filter((stem) => !other.terms.has(stem))
      .flatMap((stem) => one.terms.get(stem) ?? [])
      .filter((at) => !isInValue(one, at));
  const [mine, theirs] = [only(a, b), only(b, a)];
  if (mine.length === 0 || theirs.length === 0) return null;
  return { reason: 'name', strength: 0.4, a: mine, b: theirs };
}

/** Whether a word is part of a value: TB in "2 TB" is no name. */
function isInValue({ values }: Statement, at: number): boolean {
  return values.some(({ kind, from, to }) => kind === 'number' && at >= from && at <= to);
}

function weightOf(stems: readonly string[], a: Statement, b: Statement): number {
  return stems.reduce((sum, stem) => sum + (a.names.has(stem) || b.names.has(stem) ? NAME_WEIGHT : 1), 0);
}

function weightOfAll({ terms, names }: Statement): number {
  return terms.size + (NAME_WEIGHT - 1) * names.size;
}

/** The texts of some words as they are written, with neighbours joined. */
export function phrasesAt({ text, words }: Statement, places: readonly number[]): string[] {
  const sorted = [...new Set(places)].sort((x, y) => x - y);
  const runs: { from: number; to: number }[] = [];
  for (const at of sorted) {
    const run = runs.at(-1);
    if (run && run.to === at - 1) run.to = at;
    else runs.push({ from: at, to: at });
  }
  return runs.map(({ from, to }) => text.slice((words[from] as Word).start, (words[to] as Word).end));
}
