/** What a timeout would do, read off the survival curve. Pure. */

/** @typedef {{ seconds: number, survival: number, low: number, high: number }} SurvivalStep */

/**
 * The share of runs that are still going at `timeoutSeconds`, that is: would be cut.
 * @param {readonly SurvivalStep[]} steps ascending by seconds; the curve keeps a step's value until the next one
 * @param {number} timeoutSeconds
 * @returns {{ share: number, low: number, high: number }}
 */
export function shareCut(steps, timeoutSeconds) {
  let current = { share: 1, low: 1, high: 1 };
  for (const step of steps) {
    if (step.seconds > timeoutSeconds) break;
    current = { share: step.survival, low: step.low, high: step.high };
  }
  return current;
}

/** Positions of the slider: fine enough that one step is about a percent of a duration. */
export const SLIDER_STEPS = 500;

/**
 * A slider on a logarithmic scale whose position 0 means no time at all.
 * @param {number} lowestSeconds @param {number} highestSeconds
 */
export function sliderScale(lowestSeconds, highestSeconds) {
  const low = Math.log(Math.max(0.001, lowestSeconds));
  const high = Math.max(Math.log(Math.max(0.001, highestSeconds)), low + 1e-6);
  return {
    /** @param {number} position */
    toSeconds: (position) =>
      position <= 0 ? 0 : Math.exp(low + ((high - low) * Math.min(position, SLIDER_STEPS)) / SLIDER_STEPS),
    /** @param {number} seconds */
    toPosition: (seconds) => {
      if (seconds <= 0) return 0;
      const share = (Math.log(seconds) - low) / (high - low);
      return Math.round(Math.min(1, Math.max(0, share)) * SLIDER_STEPS);
    },
  };
}
