import type { Entry } from '../statements/entries.ts';
import { type Statement, stemsAt } from '../statements/statement.ts';
import type { Clash } from './clash.ts';
import { foremost } from './foremost.ts';

/** The strength if both entries name their subject with the same words. */
export const OF_ONE_ENTRY = 0.9;
/** Strength by the number of words that one entry adds to the subject. */
const CLOSENESS = [OF_ONE_ENTRY, 0.7, 0.5];
const REASON_OF_ENTRY = { name: 'name', place: 'state', 'filled in': 'exclusive_choice' } as const;
/** The prepositions of a place that other places may lie in. */
const WIDE = new Set(['in', 'on', 'at', 'behind']);

/** Both give one thing something else: "payroll contact: Ingrid" and "The payroll contact is Joao". */
export function entryClash(a: Statement, b: Statement): Clash | null {
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

/** Whether both sides only give different values to one entry, and say nothing else. */
export function isOfOneEntry({ reason, strength }: Clash): boolean {
  return (reason === 'name' || reason === 'exclusive_choice' || reason === 'state') && strength >= OF_ONE_ENTRY;
}

/** Whether the other statement says it too, in this place or beside it: "on loan to Vienna" and "in Vienna on loan". */
function isSaidBeside(one: Statement, { given }: Entry, { terms }: Statement): boolean {
  return stemsAt(one, given).some((stem) => terms.has(stem));
}

function areNamed({ words }: Statement, { given }: Entry): boolean {
  return given.every((at) => words[at]?.isName);
}

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
