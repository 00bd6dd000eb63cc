import type { Why } from '../domain/recall/ranking/why.ts';

/** Decimals of a score, and of its parts. */
const DECIMALS = 4;

/** What rounds to −0 is 0. */
export const scoreView = (score: number): number => Number(score.toFixed(DECIMALS)) + 0;

/** The parts of a score in its decimals: the largest part takes what rounding leaves, so that they add up to the score as it is shown. */
export function whyView(why: Why, score: number): Why {
  const parts = Object.entries(why).map(([reason, part]) => [reason, scoreView(part)] as const);
  const largest = parts.reduce((a, b) => (Math.abs(b[1]) > Math.abs(a[1]) ? b : a));
  const left = parts.reduce((rest, [, part]) => rest - part, scoreView(score));
  const rounded = parts.map(([reason, part]) => [reason, reason === largest[0] ? scoreView(part + left) : part]);
  return Object.fromEntries(rounded);
}
