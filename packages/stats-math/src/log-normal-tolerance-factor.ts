import { firstIndex } from './first-index.ts';
import { TABLE_CONFIDENCES, TABLE_COVERAGES, TABLE_FACTORS, TABLE_SIZES } from './log-normal-table.ts';
import { normalQuantile } from './normal-quantile.ts';
import { polynomialThrough } from './polynomial-through.ts';
import { requireCount, requireInRange } from './require-in-range.ts';

const COVERAGE_NODES = TABLE_COVERAGES.map(normalQuantile);
const CONFIDENCE_NODES = TABLE_CONFIDENCES.map(normalQuantile);
const SIZE_NODES = TABLE_SIZES.map((size) => 1 / Math.sqrt(size));

/**
 * The factor k of a one-sided tolerance bound mean + k * s for a normal sample (of logarithms, for durations):
 * k = t'(confidence; n - 1 degrees of freedom, noncentrality z_coverage * sqrt(n)) / sqrt(n).
 *
 * The noncentral t comes from a table of exact values (tools/log-normal-table.py). Between its sizes: a cubic through the four
 * nearest in 1 / sqrt(n), error below 1e-6. Between its coverages: the polynomial through all seven in z_coverage,
 * since k is nearly a straight line there. Between its confidences: the polynomial through all five of asinh(k) in
 * z_confidence. Error off the nodes, relative to max(k, 0.2): below 0.1 % from n = 4, 0.3 % at 3 and 2.6 % at 2.
 * Natrella's closed form was rejected: 9 % too low at n = 3, and without a solution at n = 2.
 * Source: Hahn and Meeker, Statistical Intervals, chapter 4; NIST/SEMATECH e-Handbook, section 7.2.6.3.
 * @param options.size number of values, at least 2
 * @param options.coverage 0.5 to 0.999
 * @param options.confidence 0.5 to 0.99
 * @throws RangeError when an option is outside, rather than extrapolate
 * @complexity O(1)
 */
export function logNormalToleranceFactor(options: { size: number; coverage: number; confidence: number }): number {
  const { size, coverage, confidence } = options;
  requireCount('size', size, 2);
  requireInRange('coverage', coverage, { least: 0.5, most: 0.999 });
  requireInRange('confidence', confidence, { least: 0.5, most: 0.99 });
  const exactSize = TABLE_SIZES.indexOf(size);
  if (exactSize >= 0) return factorAt(exactSize, coverage, confidence);

  const above = firstIndex(TABLE_SIZES.length, (index) => (TABLE_SIZES[index] as number) > size);
  const first = Math.min(Math.max(above - 2, 0), TABLE_SIZES.length - 4);
  const nearest = [first, first + 1, first + 2, first + 3];
  return polynomialThrough(
    nearest.map((index) => SIZE_NODES[index] as number),
    nearest.map((index) => factorAt(index, coverage, confidence)),
    1 / Math.sqrt(size),
  );
}

function factorAt(sizeIndex: number, coverage: number, confidence: number): number {
  const rows = TABLE_FACTORS[sizeIndex] as readonly (readonly number[])[];
  const byCoverage = rows.map((row) => factorInRow(row, confidence));
  const exact = TABLE_COVERAGES.indexOf(coverage);
  if (exact >= 0) return byCoverage[exact] as number;
  return polynomialThrough(COVERAGE_NODES, byCoverage, normalQuantile(coverage));
}

function factorInRow(row: readonly number[], confidence: number): number {
  const exact = TABLE_CONFIDENCES.indexOf(confidence);
  if (exact >= 0) return row[exact] as number;
  return Math.sinh(polynomialThrough(CONFIDENCE_NODES, row.map(Math.asinh), normalQuantile(confidence)));
}
