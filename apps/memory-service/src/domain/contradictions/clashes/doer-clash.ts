import { wordsOf } from '../../text/words/words.ts';
import { type Doing, doingIn } from '../statements/doers.ts';
import { type Statement, stemsAt } from '../statements/statement.ts';
import type { Clash } from './clash.ts';
import { OF_ONE_ENTRY } from './entry-clash.ts';

/**
 * Two say of one thing that somebody else does it: "Ann writes the newsletter", "The newsletter is written by Bob". One of them has to say it
 * of the thing, as of what two people do both may hold.
 */
export function doerClash(a: Statement, b: Statement): Clash | null {
  const [mine, theirs] = [doingIn(a.text), doingIn(b.text)];
  if (!mine || !theirs || (!mine.isOfThing && !theirs.isOfThing)) return null;
  const isSame = mine.verb === theirs.verb && mine.isPast === theirs.isPast && areSame(mine.thing, theirs.thing);
  const [places, others] = [placesOf(a, mine), placesOf(b, theirs)];
  const isOther = isAnother(stemsAt(a, places), stemsAt(b, others));
  return isSame && isOther ? { reason: 'name', strength: OF_ONE_ENTRY, a: places, b: others } : null;
}

function areSame(one: string, other: string): boolean {
  const stems = (text: string) =>
    wordsOf(text).flatMap(({ isContent, isName, stem, lower }) =>
      isContent || isName || /\d/.test(lower) ? [stem] : [],
    );
  const [mine, theirs] = [stems(one), stems(other)];
  return mine.length > 0 && mine.join(' ') === theirs.join(' ');
}

function placesOf({ text, words }: Statement, { who }: Doing): number[] {
  const from = text.startsWith(who) ? 0 : text.lastIndexOf(who);
  return words.flatMap(({ start, end, isContent, isName }, at) =>
    start >= from && end <= from + who.length && (isContent || isName) ? [at] : [],
  );
}

/** Ann Bell may be Ann; Nurse Park is no Nurse Lee. */
function isAnother(one: readonly string[], other: readonly string[]): boolean {
  return one.some((stem) => !other.includes(stem)) && other.some((stem) => !one.includes(stem));
}
