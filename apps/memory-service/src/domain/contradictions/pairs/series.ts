import type { Word } from '../../text/words/words.ts';
import { overlapOf, unlikeTerms } from '../statements/overlap.ts';
import type { Statement } from '../statements/statement.ts';
import type { StatementPair } from './statement-pair.ts';

/** The number of other texts of one form that makes a series: so many agents seldom disagree about one thing. */
const SERIES_FROM = 5;
/**
 * The most words in which two texts of one form differ, apart from values; where they differ in more, the least share of the longer
 * one's words that both have in the same order; and the least words that they share.
 */
const FORM = { unlike: 2, alike: 0.5, shared: 3 };

/** A memory among others near it. */
export interface Series {
  /**
   * By filling in the same form as many others, which are about different cases. `numbered`: the texts are the same but for numbers, as
   * in "Entry 12 of the log"; `form`: other parts are filled in; null: it fills in none.
   */
  readonly kind: 'numbered' | 'form' | null;
  /** Of the memory and the others. */
  readonly statements: readonly Statement[];
}

/** @param others the statements of each of the other memories */
export function seriesOf(ofMemory: readonly Statement[], others: readonly (readonly Statement[])[]): Series {
  return { kind: kindOf(ofMemory, others), statements: [...ofMemory, ...others.flat()] };
}

function kindOf([own]: readonly Statement[], others: readonly (readonly Statement[])[]): Series['kind'] {
  if (own?.extent !== 'whole') return null;
  const alike = others.flatMap(([theirs]) => (theirs?.extent === 'whole' && haveOneForm(own, theirs) ? [theirs] : []));
  const texts = new Set(alike.map(({ text }) => text)).add(own.text);
  if (texts.size <= SERIES_FROM) return null;
  const form = withoutNumbers(own);
  const numbered = new Set(alike.flatMap((theirs) => (withoutNumbers(theirs) === form ? [theirs.text] : [])));
  return numbered.add(own.text).size > SERIES_FROM ? 'numbered' : 'form';
}

/**
 * Of a series a clash is plain only where all other words are the same: then both fill in the form for one case. Where numbers alone
 * tell the cases apart, or the clashing words do, none is.
 */
export function asOneOfSeries(pair: StatementPair, series: Series): StatementPair {
  const isOfMany = isOneOfMany(pair, series);
  if (series.kind === null && !isOfMany) return pair;
  const isPlain = series.kind === 'form' && pair.isPlain && differInClashAlone(pair) && !isOfMany;
  const vetoes = pair.vetoes.includes('series') ? pair.vetoes : [...pair.vetoes, 'series' as const];
  return { ...pair, vetoes, isPlain };
}

function withoutNumbers({ words }: Statement): string {
  return words.map(({ lower }) => lower.replace(/\p{N}+/gu, '0')).join(' ');
}

function differInClashAlone({ a, b, clash }: StatementPair): boolean {
  const rest = ({ words }: Statement, beside: readonly number[] = []) =>
    words.flatMap(({ stem }, at) => (beside.includes(at) ? [] : [stem])).join(' ');
  return rest(a, clash?.a) === rest(b, clash?.b);
}

/** Whether many texts say something else in the place of the clash, and all else alike: "while we work on the seat map". */
function isOneOfMany({ a, clash }: StatementPair, { statements }: Series): boolean {
  if (!clash) return false;
  const places = clash.a;
  const head = lowerOf(a.words.slice(0, Math.min(...places)));
  const tail = lowerOf(a.words.slice(Math.max(...places) + 1));
  const filledIn = statements.flatMap(({ words }) => {
    const rest = words.length - tail.length;
    const isSame = rest > head.length && isEqual(lowerOf(words.slice(0, head.length)), head);
    return isSame && isEqual(lowerOf(words.slice(rest)), tail)
      ? [lowerOf(words.slice(head.length, rest)).join(' ')]
      : [];
  });
  return new Set(filledIn).size > SERIES_FROM;
}

function lowerOf(words: readonly Word[]): string[] {
  return words.map(({ lower }) => lower);
}

function isEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((word, at) => word === others[at]);
}

/** Whether two texts differ in few words, or have most of their words in one order, as sentences with other parts filled in have. */
function haveOneForm(a: Statement, b: Statement): boolean {
  if (overlapOf(a, b).shared.length < FORM.shared) return false;
  const isAlike = unlikeTerms(a, b) <= FORM.unlike && unlikeTerms(b, a) <= FORM.unlike;
  const longer = Math.max(a.words.length, b.words.length);
  return isAlike || commonInOrder(a.words, b.words) >= FORM.alike * longer;
}

/** The number of words that both have in the same order: the longest common subsequence. */
function commonInOrder(a: readonly Word[], b: readonly Word[]): number {
  let before = new Uint16Array(b.length + 1);
  for (const { lower } of a) {
    const row = new Uint16Array(b.length + 1);
    for (let at = 1; at <= b.length; at++) {
      const isSame = b[at - 1]?.lower === lower;
      row[at] = isSame ? (before[at - 1] as number) + 1 : Math.max(before[at] as number, row[at - 1] as number);
    }
    before = row;
  }
  return before[b.length] as number;
}
