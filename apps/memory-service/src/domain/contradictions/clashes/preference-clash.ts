import { likingOf } from '../statements/opposites.ts';
import { type Statement, stemsAt } from '../statements/statement.ts';
import type { Clash } from './clash.ts';

/** One side likes what the other dislikes; a negation reverses a side. */
export function likingClash(a: Statement, b: Statement): Clash | null {
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
export function orderClash(a: Statement, b: Statement): Clash | null {
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
