/// <reference path="./jstat.d.ts" />
import jStat from 'jstat';
import { requireOpenUnit } from './require-in-range.ts';

/**
 * The z with P(Z <= z) = p for a standard normal Z, from jstat (1e-11 off scipy at most, p from 1e-6 to 1 - 1e-6).
 * @param p between 0 and 1, ends excluded
 * @throws RangeError when p is outside
 */
export function normalQuantile(p: number): number {
  requireOpenUnit('p', p);
  return p === 0.5 ? 0 : jStat.normal.inv(p, 0, 1);
}
