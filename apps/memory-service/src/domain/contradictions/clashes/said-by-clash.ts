import type { Statement } from '../statements/statement.ts';
import type { Clash } from './clash.ts';

/** Words that say nothing beside the values that clash, where both sides have one of them: "costs" and "price", "runs until" and "ends in". */
const OF_MONEY = /^(?:costs?|prices?|priced|rates?|fees?|charges?|charged|pays?|paid|payable|amounts?)$/;
const OF_START = /^(?:starts?|started|begins?|began|opens?|opening|commences?|from)$/;
const OF_END = /^(?:ends?|ended|ending|runs?|expires?|expiry|lasts?|until|till|valid|over)$/;
const MONEY = new Set(['euro', 'dollar', 'pound', 'yen']);

/** The positions of what clashes, and of the words that say no more than that. */
export function saidByClash(a: Statement, b: Statement, clash: Clash): Pick<Clash, 'a' | 'b'> {
  const words = wordsBeside(a, b, clash);
  const said = (one: Statement, places: readonly number[]) => [
    ...places,
    ...one.words.flatMap(({ lower }, at) => (words.some((word) => word.test(lower)) ? [at] : [])),
  ];
  return { a: said(a, clash.a), b: said(b, clash.b) };
}

function wordsBeside(a: Statement, b: Statement, { reason }: Clash): RegExp[] {
  if (reason === 'number') {
    const areMoney = [a, b].every(({ values }) => values.some(({ unit }) => MONEY.has(unit)));
    return areMoney ? [OF_MONEY] : [];
  }
  if (reason !== 'date') return [];
  return [OF_START, OF_END].filter((word) => [a, b].every(({ words }) => words.some(({ lower }) => word.test(lower))));
}
