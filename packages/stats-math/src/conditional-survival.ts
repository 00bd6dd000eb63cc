import { logLogBand } from './log-log-band.ts';
import { normalQuantile } from './normal-quantile.ts';
import { requireInRange } from './require-in-range.ts';
import type { SurvivalCurve } from './survival-curve.ts';
import { wilsonInterval } from './wilson-interval.ts';

/**
 * P(T > until | T > elapsed) = S(until) / S(elapsed), with the log-log interval whose variance is Greenwood's sum over
 * (elapsed, until], at the confidence of the curve. null when no run was ever observed beyond `elapsed`.
 *
 * Where that sum says nothing, Wilson's interval stands in: at probability 0 for none of the runs at risk after
 * `elapsed`, at probability 1 for all of those known to outlast `until`. When `until` lies beyond the last, censored
 * run, the curve is flat and the probability only an upper estimate: low is 0 then.
 *
 * Source: van Houwelingen and Putter, Dynamic Prediction in Clinical Survival Analysis, chapter 1 (conditional
 * survival and its variance); `survivalCurve`, `wilsonInterval`.
 * @param options.until not before `elapsed`, same unit as the curve
 * @throws RangeError when a time is not finite or until < elapsed
 * @complexity O(log c + log n)
 */
export function conditionalSurvival(
  curve: SurvivalCurve,
  options: { elapsed: number; until: number },
): { probability: number; low: number; high: number } | null {
  const { elapsed, until } = options;
  requireInRange('elapsed', elapsed, { least: -Number.MAX_VALUE, most: Number.MAX_VALUE });
  requireInRange('until', until, { least: elapsed, most: Number.MAX_VALUE });
  const atRisk = curve.atRiskAfter(elapsed);
  if (atRisk === 0) return null;
  const probability = curve.survivalAt(until).survival / curve.survivalAt(elapsed).survival;
  const { confidence } = curve;
  if (until === elapsed) return { probability: 1, low: 1, high: 1 };
  if (probability === 0) return { probability, ...wilsonInterval({ successes: 0, trials: atRisk, confidence }) };

  const outlasting = curve.outlasting(until);
  if (probability === 1) {
    if (outlasting === 0) return { probability, low: 0, high: 1 };
    return { probability, ...wilsonInterval({ successes: outlasting, trials: outlasting, confidence }) };
  }
  const varianceSum = curve.varianceSumAt(until) - curve.varianceSumAt(elapsed);
  const band = logLogBand({ survival: probability, varianceSum, z: normalQuantile((1 + confidence) / 2) });
  return { probability, low: outlasting === 0 ? 0 : band.low, high: band.high };
}
