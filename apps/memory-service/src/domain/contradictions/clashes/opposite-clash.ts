import type { Word } from '../../text/words/words.ts';
import { oppositesIn, tellApart } from '../statements/opposites.ts';
import type { Statement } from '../statements/statement.ts';
import type { Clash } from './clash.ts';
import { foremost } from './foremost.ts';

/** Opposite words that do not both stand on both sides, where both are negated or neither is. */
export function oppositeClash(a: Statement, b: Statement): Clash | null {
  const opposites = oppositesIn(a.words, b.words);
  if (opposites.length === 0) return null;
  const [mine, yours] = [stemsOf(a), stemsOf(b)];
  const found = opposites.flatMap(([at, other]) => {
    const [word, theirs] = [a.words[at] as Word, b.words[other] as Word];
    const isOnBoth = yours.has(word.stem) && mine.has(theirs.stem);
    const isState = !isBeforeThing(a, at) && !isBeforeThing(b, other);
    const isClash = isState && !isOnBoth && isDenied(a, at) === isDenied(b, other);
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

/** Whether a word only says where something is, and no state: "on Ridge Lane", "on port 5433", unlike "the heating is on". */
function isBeforeThing({ words }: Statement, at: number): boolean {
  const [word, next, then] = [words[at], words[at + 1], words[at + 2]];
  if (!word || !next || !PREPOSITION.test(word.lower) || next.start !== word.end + 1) return false;
  return next.isName || DETERMINER.test(next.lower) || isNumbered(next, then);
}

/** "port 5433", "floor 2", unlike "from 6" and "at 7". */
function isNumbered(word: Word, next: Word | undefined): boolean {
  return word.isContent && next?.start === word.end + 1 && /^\d/.test(next.lower);
}

const PREPOSITION = /^(?:on|off|up|down|over|above|below|under)$/;
const DETERMINER = /^(?:the|an?|our|my|your|his|her|its|their|this|that|each|every)$/;

/** Also "may" and "can" before "not", and "costs nothing". */
function isDenied({ words, negated, negations }: Statement, at: number): boolean {
  if (words[at + 1]?.lower === 'nothing') return true;
  return negated.has(at) || (/^(?:may|can)$/.test(words[at]?.lower ?? '') && negations.includes(at + 1));
}

function stemsOf({ words }: Statement): ReadonlySet<string> {
  return new Set(words.map(({ stem }) => stem));
}
