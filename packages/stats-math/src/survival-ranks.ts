import { firstIndex } from './first-index.ts';
import { logLogBand } from './log-log-band.ts';
import type { OrderedSample } from './ordered-sample.ts';
import type { SurvivalSegments } from './survival-segments.ts';

/** Share of the runs at risk that rounding over 10,000 factors stays below; it decides exact ties with 1 - p. */
const FUZZ = 1e-12;

/** Events and their curve, which the searches below walk by rank (events at or before a time). */
export interface RankedCurve {
  readonly events: OrderedSample;
  readonly segments: SurvivalSegments;
}

/**
 * The least rank with survival < 1 - p, or null. Where no event was removed by censoring before, that is
 * floor(atRisk * p) + 1, to the last bit the rule of `quantileRank`, and like it capped at the end of a complete curve.
 * @complexity O(log c)
 */
export function quantileCurveRank(segments: SurvivalSegments, p: number): number | null {
  // How many events of a stretch leave the curve at or above 1 - p.
  const kept = (segment: number) => {
    const atRisk = segments.atRiskOf(segment);
    const survival = segments.survivalOf(segment);
    if (survival === 1) return Math.floor(atRisk * p);
    return Math.max(0, Math.floor(atRisk * (1 - (1 - p) / survival + FUZZ)));
  };
  const crosses = (segment: number) => kept(segment) < segments.endOf(segment) - segments.startOf(segment);
  const segment = firstIndex(segments.count, crosses);
  if (segment < segments.count) return segments.startOf(segment) + kept(segment) + 1;
  return segments.reachesZero ? segments.endOf(segments.count - 1) : null;
}

/**
 * The least rank in 1..quantileRank where the lower limit is < level. The lower limit falls with rank for any two-sided
 * confidence up to 0.95; above, its first few events may stand out and bisection answers one of the crossings.
 * @complexity O(log n log c)
 */
export function lowerLimitRank(
  curve: RankedCurve,
  options: { quantileRank: number; level: number; z: number },
): number {
  const { quantileRank, level, z } = options;
  return 1 + firstIndex(quantileRank - 1, (index) => bandAt(curve, index + 1, z).low < level);
}

/**
 * The least event time from quantileRank on where the upper limit is < level, as its rank, or null.
 *
 * The upper limit may rise again where few are at risk, so one bisection over all ranks could miss a crossing. Inside a
 * stretch, starting above the level, it can fall below once and rise back once: it is below at the end, or somewhere
 * where it rises, which needs atRisk < z / (2 sqrt(V)). Those few ranks are looked at one by one.
 * @complexity O(log n log c) plus O(log c) for each stretch from the quantile to the crossing
 */
export function upperLimitRank(
  curve: RankedCurve,
  options: { quantileRank: number; level: number; z: number },
): number | null {
  const { events, segments } = curve;
  const { level, z } = options;
  const isBelow = (rank: number) => bandAt(curve, rank, z).high < level;
  // The upper limit of S = 0 is carried over from the time before, so the last time of a complete curve adds nothing.
  const last = segments.reachesZero ? events.countBelow(events.at(events.size - 1)) : events.size;
  let from = options.quantileRank - 1;
  while (from < last) {
    const rank = nextBelow(segments, { from, last, z, isBelow });
    if (rank === null) return null;
    // Equal times are one step of the curve, so only its end counts.
    const tieEnd = events.countAtMost(events.at(rank - 1));
    if (tieEnd === rank || (tieEnd <= last && isBelow(tieEnd))) return tieEnd;
    from = tieEnd;
  }
  return null;
}

function nextBelow(
  segments: SurvivalSegments,
  options: { from: number; last: number; z: number; isBelow: (rank: number) => boolean },
): number | null {
  const { from, last, z, isBelow } = options;
  const bisect = (low: number, high: number) => low + 1 + firstIndex(high - low - 1, (i) => isBelow(low + 1 + i));
  if (isBelow(from + 1)) return from + 1;
  for (let segment = segments.containing(from + 1); segment < segments.count; segment++) {
    const low = Math.max(segments.startOf(segment), from + 1);
    const high = Math.min(segments.endOf(segment), last);
    if (high <= low) continue;
    if (isBelow(high)) return bisect(low, high);
    const risingBelow = z / (2 * Math.sqrt(segments.at(low).varianceSum)) + 1;
    const firstRising = segments.startOf(segment) + segments.atRiskOf(segment) - Math.floor(risingBelow);
    for (let rank = Math.max(low + 1, firstRising); rank < high; rank++) {
      if (isBelow(rank)) return bisect(low, rank);
    }
  }
  return null;
}

/** Limits at a rank; without a survival strictly between 0 and 1 there are none, and they close on 1 or open to 0..1. */
export function bandAt(curve: RankedCurve, rank: number, z: number): { low: number; high: number } {
  const point = curve.segments.at(rank);
  if (point.survival === 1) return { low: 1, high: 1 };
  if (point.survival === 0) return { low: 0, high: 1 };
  return logLogBand({ ...point, z });
}
