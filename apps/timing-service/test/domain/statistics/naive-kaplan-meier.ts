/** The product-limit estimate (Kaplan and Meier 1958), one factor for each distinct event time. */
export function naiveKaplanMeier(events: readonly number[], censored: readonly number[]) {
  let survival = 1;
  return [...new Set(events)]
    .sort((a, b) => a - b)
    .map((time) => {
      const atRisk = [...events, ...censored].filter((value) => value >= time).length;
      survival *= 1 - events.filter((value) => value === time).length / atRisk;
      return { time, survival };
    });
}
