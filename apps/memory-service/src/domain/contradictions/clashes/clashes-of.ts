import { differ } from '../../text/values/differ.ts';
import { isRegion } from '../../text/words/regions.ts';
import type { Overlap } from '../statements/overlap.ts';
import { type Statement, stemsAt } from '../statements/statement.ts';
import type { Clash, Reason } from './clash.ts';
import { courseClash } from './course-clash.ts';
import { doerClash } from './doer-clash.ts';
import { entryClash } from './entry-clash.ts';
import { lastingClash } from './lasting-clash.ts';
import { leavingClash } from './leaving-clash.ts';
import { nameClash } from './name-clash.ts';
import { negationClash } from './negation-clash.ts';
import { oppositeClash } from './opposite-clash.ts';
import { likingClash, orderClash } from './preference-clash.ts';
import { areComparable, valueClashes } from './value-clash.ts';

/** The clashes of two statements, strongest first. clashesOf(b, a) gives the same ones with the sides exchanged. */
export function clashesOf(a: Statement, b: Statement, overlap: Overlap): Clash[] {
  const found = [
    ...valueClashes(a, b),
    likingClash(a, b),
    orderClash(a, b),
    oppositeClash(a, b),
    negationClash(a, b, overlap),
    entryClash(a, b) ?? doerClash(a, b),
    courseClash(a, b),
    lastingClash(a, b),
    leavingClash(a, b),
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
