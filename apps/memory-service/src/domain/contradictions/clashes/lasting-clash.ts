import type { Word } from '../../text/words/words.ts';
import { unlikeTerms } from '../statements/overlap.ts';
import { areShort, type Statement } from '../statements/statement.ts';
import type { Clash } from './clash.ts';

/** After these something is no more, or no more to be done. */
const ENDED = new Set(
  `approved arrived broke cancelled closed completed cut decided delivered died divorced done dropped ended expired finished fixed gone landed left
  merged migrated moved paid published quit rejected released removed repaired replaced replied resigned resolved retired sent shipped shut signed
  sold stolen submitted thrown turned`.split(/\s+/),
);
/** Before "still" these tell of a time that is over. */
const BEFORE = /^(?:was|were|could|had|did)$/;
/** The order may be shipped and still unpaid, the invoice sent and still open; who has sold a house may still talk of it. */
const OF_SOMETHING_ELSE =
  /^(?:not|un(?!der|til)\p{L}{3,}|missing|talks?|thinks?|remembers?|miss(?:es)?|hopes?|wants?|asks?|dreams?|complains?|likes?|loves?)$/u;

/** The strength where what lasts is said of the very thing that has ended, and of something near it. */
const OF_ONE = 0.8;
const OF_SOMETHING_NEAR = 0.5;

/** One says that something has ended or is done, the other that it still is or still waits: "the boat is sold", "he still has the boat". */
export function lastingClash(a: Statement, b: Statement): Clash | null {
  const [still, stillOther] = [lastingAt(a), lastingAt(b)];
  if (!areShort(a, b) || (still === null) === (stillOther === null)) return null;
  const clash = still === null ? between(a, b, stillOther as number) : between(b, a, still);
  if (!clash) return null;
  const [ended, lasting] = clash.places;
  const [mine, theirs] = still === null ? [ended, lasting] : [lasting, ended];
  return { reason: 'state', strength: clash.strength, a: mine, b: theirs };
}

/** Whether a statement says that something lasts: an older one of these and a newer end are no contradiction. */
export function saysItLasts(statement: Statement): boolean {
  return lastingAt(statement) !== null;
}

/** The position of "still", or of "yet" in "yet to sign"; null without one. */
function lastingAt({ words }: Statement): number | null {
  const at = words.findIndex(
    ({ lower }, place) => (lower === 'still' && place > 0) || (lower === 'yet' && words[place + 1]?.lower === 'to'),
  );
  return at === -1 || BEFORE.test(words[at - 1]?.lower ?? '') ? null : at;
}

function between(ended: Statement, lasting: Statement, still: number) {
  const at = ended.words.findIndex(({ lower }) => ENDED.has(lower));
  if (at === -1 || ended.negations.length > 0 || unlikeTerms(ended, lasting, [at]) > 1) return null;
  if (OF_SOMETHING_ELSE.test(lasting.words[still + 1]?.lower ?? '')) return null;
  const next = lasting.words.findIndex(({ isContent }, place) => place > still && isContent);
  const places = [[at], next === still + 1 ? [still, next] : [still]] as const;
  // What is sent may be open, as an invoice is.
  const isOfIt = isOneThing(ended, lasting, still) && lasting.words[still + 1]?.lower !== 'open';
  return { places, strength: isOfIt ? OF_ONE : OF_SOMETHING_NEAR };
}

/** Whether all that is told before "still" is told of what has ended: not the stump of the tree. */
function isOneThing({ terms }: Statement, { words }: Statement, still: number): boolean {
  return words.slice(0, still).every(({ isContent, isName, stem }: Word) => !(isContent || isName) || terms.has(stem));
}
