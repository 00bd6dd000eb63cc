import { areOpposite, likingOf } from './statements/opposites.ts';
import type { Statement } from './statements/statement.ts';
import { differ, type Value, type ValueKind } from './statements/values.ts';
import type { Word } from './statements/words.ts';

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

/** What speaks for a contradiction in the words themselves. */
export interface Clash {
  readonly reason: Reason;
  /** 0..1 */
  readonly strength: number;
  /** Places of the words that clash, on either side. */
  readonly a: readonly number[];
  readonly b: readonly number[];
}

/** What two statements have in common. */
export interface Overlap {
  /** Shared stems. */
  readonly shared: readonly string[];
  /** Share of the weight of the shorter one that the other has too, 0..1. */
  readonly share: number;
  /** A name, an identifier or the user in person stands on both sides. */
  readonly isAnchored: boolean;
}

const NAME_WEIGHT = 2;
/** Kinds of values by the reason that they give. */
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
  const least =
    Math.min(weightOf([...a.terms.keys()], a, a), weightOf([...b.terms.keys()], b, b)) + (bothOfUser ? 1 : 0);
  const isNamed = shared.some((stem) => a.names.has(stem) || b.names.has(stem));
  return { shared, share: least === 0 ? 0 : common / least, isAnchored: isNamed || bothOfUser };
}

/** The strongest typed clash; null where the words show none. The same for (a, b) and (b, a), sides exchanged. */
export function clashOf(a: Statement, b: Statement, overlap: Overlap): Clash | null {
  const found = [
    valueClash(a, b),
    likingClash(a, b),
    oppositeClash(a, b),
    negationClash(a, b, overlap),
    nameClash(a, b, overlap),
  ];
  return found.reduce((best, clash) => (clash && clash.strength > (best?.strength ?? 0) ? clash : best), null);
}

/** The words that only one side has: what a reader compares where nothing typed is found. */
export function unlikeWords(a: Statement, b: Statement): Pick<Clash, 'a' | 'b'> {
  const rest = (one: Statement, other: Statement) =>
    [...one.terms].flatMap(([stem, places]) => (other.terms.has(stem) ? [] : places)).slice(0, MOST_UNLIKE);
  return { a: rest(a, b), b: rest(b, a) };
}

const MOST_UNLIKE = 6;

/** Values of one kind and unit, none of which both sides name. */
function valueClash(a: Statement, b: Statement): Clash | null {
  for (const one of a.values) {
    if (one.kind === 'identifier') continue;
    const comparable = b.values.filter((other) => areComparable(one, other));
    if (comparable.length === 0 || comparable.some((other) => !differ(one, other))) continue;
    if (
      b.values.length > 0 &&
      a.values.some((mine) => comparable.some((other) => areComparable(mine, other) && !differ(mine, other)))
    )
      continue;
    const other = comparable[0] as Value;
    const strength = one.kind === 'number' && one.unit === '' ? 0.5 : 0.9;
    return { reason: REASONS[one.kind], strength, a: placesOf(one), b: placesOf(other) };
  }
  return null;
}

function areComparable(a: Value, b: Value): boolean {
  if (a.kind !== b.kind) return false;
  if (a.kind === 'version') return a.unit === b.unit || a.unit === '' || b.unit === '';
  return a.unit === b.unit;
}

function placesOf({ from, to }: Value): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** One likes what the other dislikes; a negation turns it round. */
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

/** Opposite words, both negated or neither. */
function oppositeClash(a: Statement, b: Statement): Clash | null {
  for (const [at, word] of a.words.entries()) {
    for (const [other, theirs] of b.words.entries()) {
      if (word.stem === theirs.stem || !areOpposite(word.stem, theirs.stem)) continue;
      if (b.terms.has(word.stem) && a.terms.has(theirs.stem)) continue;
      if (a.negated.has(at) !== b.negated.has(other)) continue;
      return { reason: 'antonym', strength: 0.7, a: [at], b: [other] };
    }
  }
  return null;
}

/** One side denies a word that the other says without denying it. */
function negationClash(a: Statement, b: Statement, { shared }: Overlap): Clash | null {
  if (a.negations.length > 0 === b.negations.length > 0) return null;
  const [denying, saying] = a.negations.length > 0 ? [a, b] : [b, a];
  const denied = shared.filter((stem) => denying.terms.get(stem)?.some((at) => denying.negated.has(at)));
  if (denied.length === 0) return null;
  const places = [...denying.negations, ...denied.flatMap((stem) => denying.terms.get(stem) ?? [])].sort(
    (x, y) => x - y,
  );
  const said = denied.flatMap((stem) => saying.terms.get(stem) ?? []);
  const strength = 0.7;
  return denying === a
    ? { reason: 'negation', strength, a: places, b: said }
    : { reason: 'negation', strength, a: said, b: places };
}

/** Names that only one side has, on both sides. */
function nameClash(a: Statement, b: Statement, { shared }: Overlap): Clash | null {
  if (shared.length < 2) return null;
  const only = (one: Statement, other: Statement) =>
    [...one.names].filter((stem) => !other.terms.has(stem)).flatMap((stem) => one.terms.get(stem) ?? []);
  const [mine, theirs] = [only(a, b), only(b, a)];
  if (mine.length === 0 || theirs.length === 0) return null;
  return { reason: 'name', strength: 0.4, a: mine, b: theirs };
}

function weightOf(stems: readonly string[], a: Statement, b: Statement): number {
  return stems.reduce((sum, stem) => sum + (a.names.has(stem) || b.names.has(stem) ? NAME_WEIGHT : 1), 0);
}

/** The texts of some words, neighbours joined, as they stand. */
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
