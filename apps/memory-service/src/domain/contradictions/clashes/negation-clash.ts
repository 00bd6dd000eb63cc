import type { Overlap } from '../statements/overlap.ts';
import type { Statement } from '../statements/statement.ts';
import type { Clash } from './clash.ts';

/** The strength of a denial of what the other side says, of an outright one, and of one that may deny something else. */
const DENIAL = 0.7;
export const OUTRIGHT = 0.9;
const WEAK_DENIAL = 0.3;
/** What says without a "not" that something is no more, or is not to be: "training got cancelled" and "no training" say the same. */
const ENDS =
  /\b(?:cancel(?:s|l?ed)|(?:called|calling) off|g[ai]v(?:e|es|en|ing) up|out of|free of|from \w+ing|sold|ban(?:s|ned)?|forbid(?:s|den)?|forbade|freezes?|frozen|prohibit(?:s|ed)?|avoids?|yet to)\b/i;

/** One side denies a word that the other affirms. */
export function negationClash(a: Statement, b: Statement, { shared }: Overlap): Clash | null {
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
  const strength = isClear ? once : WEAK_DENIAL;
  return denying === a
    ? { reason: 'negation', strength, a: places, b: said }
    : { reason: 'negation', strength, a: said, b: places };
}

/** Whether one side denies what the other says, and not something else. */
export function isDenial({ reason, strength }: Clash): boolean {
  return reason === 'negation' && strength >= DENIAL;
}

/** "We do not allow dogs" denies dogs. */
const LETS = /^(?:allow|permit|let)(?:s|ed)?$/;

/** Whether the other side has the first thing that is denied: "isn't the treasurer of the club" denies no other office in it. */
function isFocusShared(denying: Statement, saying: Statement): boolean {
  const focus = denying.words.find(
    ({ isContent, isName, lower }, at) => denying.negated.has(at) && (isContent || isName) && !LETS.test(lower),
  );
  return focus === undefined || saying.terms.has(focus.stem);
}

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
