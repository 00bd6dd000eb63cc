export interface NaiveStep {
  time: number;
  survival: number;
  varianceSum: number;
  low: number;
  high: number;
}

/** The textbook product over distinct event times, one factor and one Greenwood term each. */
export function naiveKaplanMeier(events: readonly number[], censored: readonly number[], z: number): NaiveStep[] {
  let survival = 1;
  let varianceSum = 0;
  let previousHigh = 1;
  const steps: NaiveStep[] = [];
  for (const time of [...new Set(events)].sort((x, y) => x - y)) {
    const atRisk = [...events, ...censored].filter((value) => value >= time).length;
    const died = events.filter((value) => value === time).length;
    survival *= 1 - died / atRisk;
    varianceSum += died / (atRisk * (atRisk - died));
    if (died === atRisk) {
      steps.push({ time, survival: 0, varianceSum, low: 0, high: previousHigh });
      continue;
    }
    const centre = Math.log(-Math.log(survival));
    const half = (z * Math.sqrt(varianceSum)) / Math.log(survival);
    const low = Math.exp(-Math.exp(centre - half));
    const high = Math.exp(-Math.exp(centre + half));
    previousHigh = high;
    steps.push({ time, survival, varianceSum, low, high });
  }
  return steps;
}
