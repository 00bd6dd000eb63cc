export interface Clock {
  /** Epoch milliseconds, with microseconds in the fraction. */
  now(): number;
}

export interface ClockSources {
  /** Whole epoch milliseconds, rounded down; may be set back or forward at any time. */
  readonly wall: () => number;
  /** Milliseconds with a fraction since some start; never goes back. */
  readonly monotonic: () => number;
}

/** How far the clock may run ahead of the wall clock before it is adjusted. */
const MAX_LEAD_MS = 2;

/**
 * The wall clock refined to microseconds by the monotonic one: `wall <= now <= wall + 2 ms` at every reading, so a step of
 * the wall clock shows at once and its drift never adds up.
 */
export function refinedClock({ wall, monotonic }: ClockSources): Clock {
  let offsetMs = Number.NEGATIVE_INFINITY;
  return {
    now() {
      // The wall is read first: a pause between the readings then makes the offset too small, which the next reading
      // corrects; the other order would leave the clock ahead for as long as the process runs.
      const wallMs = wall();
      const monotonicMs = monotonic();
      const refinedMs = offsetMs + monotonicMs;
      if (refinedMs >= wallMs && refinedMs <= wallMs + MAX_LEAD_MS) return refinedMs;
      offsetMs = wallMs - monotonicMs;
      return wallMs;
    },
  };
}

export const systemClock: Clock = refinedClock({ wall: () => Date.now(), monotonic: () => performance.now() });
