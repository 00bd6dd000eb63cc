export { parseInstant } from '@agent-faculties/service-kit';

/** Seconds to three decimals, as every reply shows them. A positive duration never shows as 0: the smallest is 0.001. */
export function shownSeconds(seconds: number): number {
  const rounded = Number(seconds.toFixed(3));
  return seconds > 0 && rounded === 0 ? 0.001 : rounded;
}

/** Epoch milliseconds as whole microseconds, the resolution in which times are stored and subtracted. */
export function toMicroseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000);
}

/** Seconds from one instant (epoch ms) to another; never negative, because a clock may have been set back between. */
export function secondsBetween(startMs: number, endMs: number): number {
  return Math.max(0, toMicroseconds(endMs) - toMicroseconds(startMs)) / 1e6;
}

/**
 * Whether an instant can be stored: from 1970 on, and so that its microseconds are a safe integer, which ends in June 2255.
 */
export function isStorable(milliseconds: number): boolean {
  return milliseconds >= 0 && toMicroseconds(milliseconds) <= Number.MAX_SAFE_INTEGER;
}

/** Epoch milliseconds as `2026-11-21T04:07:47.590808+00:00`: always six decimals, always UTC. */
export function formatInstant(milliseconds: number): string {
  const microseconds = toMicroseconds(milliseconds);
  const whole = Math.floor(microseconds / 1000);
  const rest = microseconds - whole * 1000;
  return `${new Date(whole).toISOString().slice(0, -1)}${String(rest).padStart(3, '0')}+00:00`;
}
