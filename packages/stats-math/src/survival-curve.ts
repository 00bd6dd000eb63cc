import { normalQuantile } from './normal-quantile.ts';
import { type OrderedSample, orderedSample } from './ordered-sample.ts';
import { requireCount, requireInRange, requireOpenUnit } from './require-in-range.ts';
import { survivalPointTimes } from './survival-points.ts';
import { bandAt, lowerLimitRank, quantileCurveRank, type RankedCurve, upperLimitRank } from './survival-ranks.ts';
import { survivalSegments } from './survival-segments.ts';

/** Confidence of the band when the caller names none. */
const DEFAULT_CONFIDENCE = 0.95;

/** S(t) = P(T > t) with its log-log Greenwood interval. */
export interface SurvivalPoint {
  survival: number;
  low: number;
  high: number;
}

export interface SurvivalCurve {
  /** How many runs are censored. */
  readonly censored: number;
  /** Of the two-sided band. */
  readonly confidence: number;
  /** Before the first event 1..1; where the curve is 0, low is 0 and high that of the event time before. */
  survivalAt(time: number): SurvivalPoint;
  /** Greenwood's sum of d / (n * (n - d)) up to a time, the variance of ln S; Infinity where S is 0. */
  varianceSumAt(time: number): number;
  /** How many events and censored values are greater than a time. */
  atRiskAfter(time: number): number;
  /** How many are known to outlast a time: the events after it, and the values that are censored at it or after. */
  outlasting(time: number): number;
  /**
   * The least event time with S < 1 - p, null when the curve never gets there; without censoring exactly
   * `quantileSorted`, p = 1 included. The interval inverts the band at 1 - p; an end that it never reaches is null.
   */
  quantile(p: number): { value: number | null; low: number | null; high: number | null };
  /** The value of `quantile` alone, in O(log c). */
  quantileValue(p: number): number | null;
  /** One-sided upper confidence bound (0.5 to 1) of the quantile: the least event time whose upper limit is < 1 - p. */
  upperBound(options: { p: number; confidence: number }): number | null;
  /** At most maxPoints (3 or more) steps to draw, in order of time. */
  points(maxPoints: number): (SurvivalPoint & { time: number })[];
}

/**
 * Kaplan-Meier curve of durations of which some are known only to be greater than a value (right-censored).
 *
 * S(t) is the product over event times up to t of 1 - d / n, with n at risk just before; events come before censorings
 * at the same time. Source: Kaplan and Meier, JASA 53 (1958), 457-481; variance by Greenwood (1926); interval on the
 * log(-log S) scale, as R's `survfit(conf.type = "log-log")`. Censoring must not tell about the duration.
 * @param options.events finished durations; not copied, so do not change them afterwards
 * @param options.censoredSorted ascending numbers, copied; or an ordered sample, not copied
 * @param options.later how many more runs are censored after all others; 0 when left out. With 1, the next run, `survivalAt` predicts it:
 *   without censoring 1 - i / (n + 1) after i of n events. That is A(n) of Hill (1968), with censoring Berliner and Hill (JASA 83, 1988).
 * @param options.confidence of the two-sided band, between 0 and 1; 0.95 when left out
 * @throws RangeError when nothing at all is given, a censored value is out of order or an option is outside
 * @complexity O(c log n) time and O(c) memory to build, for c distinct censored values; O(log c + log n) a look-up, see `upperLimitRank` for upper ends
 */
export function survivalCurve(options: {
  events: OrderedSample;
  censoredSorted: ArrayLike<number> | OrderedSample;
  later?: number;
  confidence?: number;
}): SurvivalCurve {
  const { events, later = 0, confidence = DEFAULT_CONFIDENCE } = options;
  requireCount('later', later, 0);
  requireOpenUnit('confidence', confidence);
  const { censoredSorted } = options;
  const censored = 'countAtMost' in censoredSorted ? censoredSorted : orderedSample(Float64Array.from(censoredSorted));
  requireCount('events.size + censoredSorted.length', events.size + censored.size, 1);
  const z = normalQuantile((1 + confidence) / 2);
  const segments = survivalSegments(events, censored, later);
  const curve: RankedCurve = { events, segments };
  const rankOf = (time: number) => {
    requireInRange('time', time, { least: -Number.MAX_VALUE, most: Number.MAX_VALUE });
    return events.countAtMost(time);
  };
  const timeOf = (rank: number | null) => (rank === null ? null : events.at(rank - 1));

  const pointAt = (rank: number): SurvivalPoint => {
    const { survival } = segments.at(rank);
    if (survival > 0) return { survival, ...bandAt(curve, rank, z) };
    return { survival, low: 0, high: bandAt(curve, events.countBelow(events.at(rank - 1)), z).high };
  };

  return {
    censored: censored.size + later,
    confidence,
    survivalAt: (time) => pointAt(rankOf(time)),
    varianceSumAt: (time) => segments.at(rankOf(time)).varianceSum,
    atRiskAfter: (time) => events.size - rankOf(time) + censored.size - censored.countAtMost(time) + later,
    outlasting: (time) => events.size - rankOf(time) + censored.size - censored.countBelow(time) + later,
    quantile(p) {
      requireInRange('p', p, { least: 0, most: 1 });
      const level = 1 - p;
      const quantileRank = quantileCurveRank(segments, p);
      // The lower limit may cross where the curve itself does not get.
      const lastRank = quantileRank ?? events.size;
      const reached = lastRank > 0 && bandAt(curve, lastRank, z).low < level;
      return {
        value: timeOf(quantileRank),
        low: reached ? timeOf(lowerLimitRank(curve, { quantileRank: lastRank, level, z })) : null,
        high: quantileRank === null ? null : timeOf(upperLimitRank(curve, { quantileRank, level, z })),
      };
    },
    quantileValue(p) {
      requireInRange('p', p, { least: 0, most: 1 });
      return timeOf(quantileCurveRank(segments, p));
    },
    upperBound({ p, confidence: oneSided }) {
      requireInRange('p', p, { least: 0, most: 1 });
      requireOpenUnit('confidence', oneSided);
      requireInRange('confidence', oneSided, { least: 0.5, most: 1 });
      const quantileRank = quantileCurveRank(segments, p);
      if (quantileRank === null) return null;
      return timeOf(upperLimitRank(curve, { quantileRank, level: 1 - p, z: normalQuantile(oneSided) }));
    },
    points(maxPoints) {
      requireCount('maxPoints', maxPoints, 3);
      const times = survivalPointTimes(events, censored, maxPoints);
      return Array.from(times, (time) => ({ time, ...pointAt(rankOf(time)) }));
    },
  };
}
