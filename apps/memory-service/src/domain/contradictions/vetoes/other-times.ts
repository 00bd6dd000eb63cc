import type { Clash } from '../clashes/clash.ts';
import { saidByClash } from '../clashes/said-by-clash.ts';
import { unlikeTerms } from '../statements/overlap.ts';
import type { Sentence, Statement } from '../statements/statement.ts';
import { valuesDiffer } from './values-differ.ts';

interface OfTimes {
  readonly a: Statement;
  readonly b: Statement;
  readonly clashes: readonly Clash[];
  /** The sentence of each side that holds what both share. */
  readonly mine: Pick<Sentence, 'marks'>;
  readonly theirs: Pick<Sentence, 'marks'>;
}

/** Whether what clashes may hold at two times, or of the things of two years, days or versions. */
export function areOfOtherTimes({ a, b, clashes, mine: { marks: mine }, theirs: { marks: theirs } }: OfTimes): boolean {
  if ((mine.isPast && theirs.isNow && !theirs.isPast) || (theirs.isPast && mine.isNow && !mine.isPast)) return true;
  if (OF_ONE_TENSE.has(clashes[0]?.reason ?? '') && areOfTwoTenses(a, b)) return true;
  if (isOver(a) !== isOver(b)) return true;
  // A list says how a thing is: "512 MB", "used 380 MB yesterday".
  if ([a, b].some(({ extent }) => extent === 'property') && mine.isPast !== theirs.isPast) return true;
  // What is said of another year, day or version besides is no contradiction; that one alone may be one.
  const isOtherOne = valuesDiffer(a, b, 'date') || valuesDiffer(a, b, 'weekday') || valuesDiffer(a, b, 'version');
  const isOtherYear =
    valuesDiffer(a, b, 'year') &&
    !(clashes.every(({ reason }) => reason === 'date') && isAllElseSaid(a, b, clashes[0]));
  return isOtherYear || (isOtherOne && clashes.some(({ reason }) => SAID_OF_ONE.has(reason)));
}

/** Whether it says till when something was so: "ate meat until he turned 20", "used to be full". */
function isOver({ text }: Statement): boolean {
  return OVER.test(text);
}

const OVER =
  /\bused to(?! it\b)|\bas a (?:child|kid|boy|girl|student|teenager)\b|^(?!.*\b(?:is|are|be|been)\b).*\b(?:was|were|had|did|ate|ran|went|kept|led|wrote|drove|spoke|sold|made|held|taught|[a-z]{2,}ed)\b(?:[^,;.]|\.(?=\d))*\b(?:until|till|up to)\b/i;

/** What was down this morning may be up: one says "was" and the other "is". What still is has not become so. */
function areOfTwoTenses(a: Statement, b: Statement): boolean {
  if ([a, b].some(({ text }) => /\b(?:is|are) still\b/i.test(text))) return false;
  const [mine, theirs] = [a, b].map(({ text }) => /\b(?:was|were|is|are)\b/i.exec(text)?.[0].toLowerCase());
  return mine !== undefined && theirs !== undefined && mine.startsWith('w') !== theirs.startsWith('w');
}

/** Whether one side has no content words that the other lacks: the museum was founded in 1887, or in 1903 by two brothers. */
function isAllElseSaid(a: Statement, b: Statement, clash: Clash | undefined): boolean {
  const said = clash ? saidByClash(a, b, clash) : { a: [], b: [] };
  return Math.min(unlikeTerms(a, b, said.a), unlikeTerms(b, a, said.b)) === 0;
}

/** A thing has a version, and is open, at a time. */
const OF_ONE_TENSE = new Set<string>(['antonym', 'version']);
const SAID_OF_ONE = new Set(['number', 'negation', 'antonym']);
