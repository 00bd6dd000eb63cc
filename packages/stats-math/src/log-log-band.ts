/**
 * Interval of a survival probability on the log(-log S) scale: S^exp(+-z * sqrt(V) / |ln S|), always within 0..1.
 *
 * Source: Kalbfleisch and Prentice, The Statistical Analysis of Failure Time Data; R's `survfit(conf.type = "log-log")`.
 * @param options.survival S, above 0 and below 1: the ends have no such interval
 * @param options.varianceSum V, Greenwood's sum of d / (n * (n - d)), the variance of ln S
 * @param options.z normal quantile of the wanted confidence
 */
export function logLogBand(options: { survival: number; varianceSum: number; z: number }): {
  low: number;
  high: number;
} {
  const { survival, varianceSum, z } = options;
  const spread = Math.exp((z * Math.sqrt(varianceSum)) / -Math.log(survival));
  return { low: survival ** spread, high: survival ** (1 / spread) };
}
