import { DAY_MS } from '@agent-faculties/service-kit';

/** How long one notice is tried. */
export const TRIED_FOR_MS = DAY_MS;
const SHORTEST_PAUSE_MS = 1_000;
/** A receiver that is back waits this long at most. */
const LONGEST_PAUSE_MS = 15 * 60_000;

/**
 * Milliseconds until the next try: doubled with each failure, and between half and all of that, so that services which failed
 * together do not come back together (equal jitter: Brooker, "Exponential Backoff And Jitter", 2015).
 * @param failures of this notice so far, at least 1
 * @param random from 0 to 1, without 1
 * @param askedSeconds of `Retry-After`; counts up to the longest pause
 */
export function pauseAfter(failures: number, random: number, askedSeconds: number | null): number {
  const whole = Math.min(SHORTEST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
  const asked = Math.min((askedSeconds ?? 0) * 1_000, LONGEST_PAUSE_MS);
  return Math.max(Math.round((whole * (1 + random)) / 2), asked);
}
