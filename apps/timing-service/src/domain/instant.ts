import { DAY_MS } from '@agent-faculties/service-kit';

/** Epoch milliseconds as whole microseconds, the resolution in which times are stored and subtracted. */
export function toMicroseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000);
}

/** Seconds from one instant (epoch ms) to another; never negative, because a clock may have been set back between. */
export function secondsBetween(startMs: number, endMs: number): number {
  return Math.max(0, toMicroseconds(endMs) - toMicroseconds(startMs)) / 1e6;
}

/** Clocks of two machines may be this far apart. */
const SKEW_MS = DAY_MS;

/** Clocks that are set by the network are nearer to each other; a time without its zone is further off. */
const NOW_MS = 5 * 60 * 1000;

/** Whether an instant is told of a clock that is wrong, or of a time that has not come. */
export function isYetToCome(milliseconds: number, nowMs: number): boolean {
  return milliseconds > nowMs + NOW_MS;
}

/** Whether an instant lies so far in the future that a clock must be wrong. */
export function isFarAhead(milliseconds: number, nowMs: number): boolean {
  return milliseconds > nowMs + SKEW_MS;
}

/**
 * Whether an instant can be stored: from 1970 on, and so that its microseconds are a safe integer, which ends in June 2255.
 */
export function isStorable(milliseconds: number): boolean {
  return milliseconds >= 0 && toMicroseconds(milliseconds) <= Number.MAX_SAFE_INTEGER;
}
