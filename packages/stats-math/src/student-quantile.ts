/// <reference path="./jstat.d.ts" />
import jStat from 'jstat';
import { requireInRange, requireOpenUnit } from './require-in-range.ts';

/**
 * The t with P(T <= t) = p for Student's T, from jstat (1e-6 off scipy at most, p from 0.005 to 0.995).
 * @param options.p between 0 and 1, ends excluded
 * @param options.freedom degrees of freedom, 1 or more, not only whole ones
 * @throws RangeError when an option is outside
 */
export function studentQuantile({ p, freedom }: { p: number; freedom: number }): number {
  requireOpenUnit('p', p);
  requireInRange('freedom', freedom, { least: 1, most: Number.MAX_VALUE });
  return p === 0.5 ? 0 : jStat.studentt.inv(p, freedom);
}
