import type { Word } from '../../text/words/words.ts';
import type { Clash, Reason } from '../clashes/clash.ts';
import { areAgreed, clashesOf } from '../clashes/clashes-of.ts';
import { isOfOneEntry } from '../clashes/entry-clash.ts';
import { isDenial } from '../clashes/negation-clash.ts';
import { saidByClash } from '../clashes/said-by-clash.ts';
import { isLight } from '../statements/light.ts';
import { isPartOfSame, type Overlap, overlapOf, unlikeTerms } from '../statements/overlap.ts';
import { areShort, type Statement } from '../statements/statement.ts';
import { type Veto, vetoesOf } from '../vetoes/veto.ts';

/** Two statements and the evidence in their words, before a model scores them. */
export interface StatementPair {
  readonly a: Statement;
  readonly b: Statement;
  readonly overlap: Overlap;
  /** Cosine of the memories' vectors, their nearest chunks. */
  readonly cosine: number;
  readonly clash: Clash | null;
  readonly vetoes: readonly Veto[];
  /** How many content words only one side has, without the clashing ones; the smaller number of both sides. */
  readonly unlike: number;
  /** Whether nothing clashes, and both name the same value or deny the same word. */
  readonly isAgreed: boolean;
  /** Whether both say the same except for the clash, with no veto. */
  readonly isPlain: boolean;
}

/** Stands in for the cosine without vectors: the usual one of two memories that share words. */
export const USUAL_COSINE = 0.45;

export function statementPair(
  a: Statement,
  b: Statement,
  {
    overlap = overlapOf(a, b),
    clashes = clashesOf(a, b, overlap),
    cosine = USUAL_COSINE,
  }: { readonly overlap?: Overlap; readonly clashes?: readonly Clash[]; readonly cosine?: number } = {},
): StatementPair {
  const clash = clashes[0] ?? null;
  const vetoes = vetoesOf(a, b, { overlap, clashes });
  const said = clash ? saidByClash(a, b, clash) : { a: [], b: [] };
  const unlike = [unlikeTerms(a, b, said.a), unlikeTerms(b, a, said.b)];
  const least = Math.min(...unlike);
  return {
    a,
    b,
    overlap,
    cosine,
    clash,
    vetoes,
    unlike: least,
    isPlain: clash !== null && vetoes.length === 0 && isPlain({ a, b, overlap, clash, said, unlike }),
    isAgreed: clash === null && least === 0 && areAgreed(a, b),
  };
}

interface Clashing extends Pick<StatementPair, 'a' | 'b' | 'overlap'> {
  readonly clash: Clash;
  /** The words of the clash, with those that belong to it. */
  readonly said: Pick<Clash, 'a' | 'b'>;
  /** By side, how many other words only it has. */
  readonly unlike: readonly number[];
}

function isPlain({ a, b, overlap, clash, said, unlike }: Clashing): boolean {
  if (isOfOneEntry(clash)) return true;
  const isNothingElse = Math.min(...unlike) === 0 || differInLightWords(a, b, said, clash);
  if (!isNothingElse || !mayBePlain(a, b, overlap, clash)) return false;
  if (Math.max(...unlike) > mostUnlike(a, b, clash)) return false;
  return otherNumbers(a, clash.a, b) === otherNumbers(b, clash.b, a);
}

/**
 * A long statement has numbers, days and denials of more than one thing. A denial is of something else where it is weak, or where one word is
 * shared alone: "no puddle, then" denies not all that is told of puddles.
 */
function mayBePlain(a: Statement, b: Statement, { shared }: Overlap, clash: Clash): boolean {
  if (clash.reason === 'antonym') return true;
  if (!areShort(a, b)) return false;
  return clash.reason !== 'negation' || (isDenial(clash) && shared.length > 1);
}

/** Whether beside two values only verbs differ that say little: "the backup runs at 2", "the backup starts at 4". */
function differInLightWords(a: Statement, b: Statement, said: Pick<Clash, 'a' | 'b'>, { reason }: Clash): boolean {
  const only = (one: Statement, other: Statement, beside: readonly number[]) =>
    [...one.terms].flatMap(([stem, at]) =>
      other.terms.has(stem) || at.some((place) => beside.includes(place)) ? [] : at,
    );
  const isLightAt = ({ words }: Statement, at: number) => isLight(words[at]?.lower ?? '');
  return (
    OF_VALUES.has(reason) &&
    only(a, b, said.a).every((at) => isLightAt(a, at)) &&
    only(b, a, said.b).every((at) => isLightAt(b, at))
  );
}

const OF_VALUES: ReadonlySet<Reason> = new Set(['number', 'date', 'version']);

/** What one says of another weekday may be of another thing as soon as it says more: "rehearsals on Friday", "rehearsals of the small choir on Monday". */
function mostUnlike(a: Statement, b: Statement, { reason }: Clash): number {
  const isOfWeekday = [a, b].some(({ values }) => values.some(({ kind }) => kind === 'weekday'));
  return reason === 'date' && isOfWeekday ? 1 : (PLAIN[reason] ?? -1);
}

/**
 * For each reason, the words beside the clash that one side of a plain clash may have more than the other; four of five such
 * labelled pairs are right. Of different names both may hold.
 */
const PLAIN: Readonly<Partial<Record<Reason, number>>> = {
  number: Number.POSITIVE_INFINITY,
  date: Number.POSITIVE_INFINITY,
  version: Number.POSITIVE_INFINITY,
  antonym: Number.POSITIVE_INFINITY,
  negation: 2,
  preference: 0,
};

/** The words with digits beside the clash, and letters that tell which: rack 4 is not rack 14, and sample A not sample B. */
function otherNumbers({ words }: Statement, beside: readonly number[], other: Statement): string {
  return words
    .filter((word, at) => !beside.includes(at) && (/\d/.test(word.stem) || isLetterOf(words[at - 1], word)))
    .flatMap(({ stem }) => (other.terms.has(stem) || !isPartOfSame(stem, other) ? [stem] : []))
    .join(' ');
}

function isLetterOf(noun: Word | undefined, { text, startsSentence }: Word): boolean {
  return !startsSentence && /^\p{Lu}$/u.test(text) && text !== 'I' && noun?.isContent === true;
}
