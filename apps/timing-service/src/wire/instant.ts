import { toMicroseconds } from '../domain/instant.ts';

/** Epoch milliseconds as `2026-11-21T04:07:47.590808+00:00`: always six decimals, always UTC. */
export function formatInstant(milliseconds: number): string {
  const microseconds = toMicroseconds(milliseconds);
  const whole = Math.floor(microseconds / 1000);
  const rest = microseconds - whole * 1000;
  return `${new Date(whole).toISOString().slice(0, -1)}${String(rest).padStart(3, '0')}+00:00`;
}

/** Seconds to three decimals, as every reply shows them. A positive duration never shows as 0: the smallest is 0.001. */
export function shownSeconds(seconds: number): number {
  const rounded = Number(seconds.toFixed(3));
  return seconds > 0 && rounded === 0 ? 0.001 : rounded;
}
