import { stemOf } from '../../text/words/words.ts';
import type { Statement } from './statement.ts';

/** The overlap of two statements. */
export interface Overlap {
  /** Shared stems. */
  readonly shared: readonly string[];
  /** The share of the shorter statement's weight that the other has too, 0..1. */
  readonly share: number;
  /** Whether both sides name the same name or identifier, or the user. */
  readonly isAnchored: boolean;
}

/** A name says more of what a statement is about than another word. */
const NAME_WEIGHT = 2;
/** The most words of one side that a reader compares. */
const MOST_UNLIKE = 6;

export function overlapOf(a: Statement, b: Statement): Overlap {
  const shared = [...a.terms.keys()].filter((stem) => b.terms.has(stem));
  const bothOfUser = a.isOfUser && b.isOfUser;
  const common = weightOf(shared, a, b) + (bothOfUser ? 1 : 0);
  const least = Math.min(weightOfAll(a), weightOfAll(b)) + (bothOfUser ? 1 : 0);
  const isNamed = shared.some((stem) => a.names.has(stem) || b.names.has(stem));
  return { shared, share: least === 0 ? 0 : common / least, isAnchored: isNamed || bothOfUser };
}

function weightOf(stems: readonly string[], a: Statement, b: Statement): number {
  return stems.reduce((sum, stem) => sum + (a.names.has(stem) || b.names.has(stem) ? NAME_WEIGHT : 1), 0);
}

function weightOfAll({ terms, names }: Statement): number {
  return terms.size + (NAME_WEIGHT - 1) * names.size;
}

/** How many content words only one side has, except those at some positions. */
export function unlikeTerms(one: Statement, other: Statement, beside: readonly number[] = []): number {
  let count = 0;
  for (const [stem, places] of one.terms) {
    if (!other.terms.has(stem) && !places.some((at) => beside.includes(at)) && !isPartOfSame(stem, other)) count++;
  }
  return count;
}

/** Whether a word is in a compound of the other side, or has a word of it: "staging" and "db-stage-2". */
export function isPartOfSame(stem: string, { terms }: Statement): boolean {
  if (COMPOUND.test(stem)) return partsOf(stem).some((part) => terms.has(part));
  for (const other of terms.keys()) if (COMPOUND.test(other) && partsOf(other).includes(stem)) return true;
  return false;
}

const COMPOUND = /[-_/]/;

function partsOf(compound: string): string[] {
  return compound
    .split(/[-_/.]/)
    .filter((part) => part.length >= LEAST_OF_PART)
    .map(stemOf);
}

/** Letters; shorter parts, such as "db", are of many compounds. */
const LEAST_OF_PART = 4;

/** What only one side has, which a reader compares where no kind of clash is found: numbers and codes where each side has some, else words. */
export function unlikeWords(
  a: Statement,
  b: Statement,
): { readonly a: readonly number[]; readonly b: readonly number[] } {
  const [mine, theirs] = [unlikeNumbers(a, b), unlikeNumbers(b, a)];
  if (mine.length > 0 && theirs.length > 0) return { a: mine, b: theirs };
  const rest = (one: Statement, other: Statement) =>
    [...one.terms].flatMap(([stem, places]) => (other.terms.has(stem) ? [] : places)).slice(0, MOST_UNLIKE);
  return { a: rest(a, b), b: rest(b, a) };
}

/** Positions of numbers and codes that only one side has, each with the word of both before it: "SN 4417". */
function unlikeNumbers(one: Statement, other: Statement): number[] {
  const others = new Set(other.words.map(({ lower }) => lower));
  const places = one.words.flatMap(({ lower, startsSentence }, at) => {
    if (!/\d/.test(lower) || others.has(lower)) return [];
    const before = startsSentence ? undefined : one.words[at - 1];
    return before?.isContent && other.terms.has(before.stem) ? [at - 1, at] : [at];
  });
  return places.slice(0, MOST_UNLIKE);
}
