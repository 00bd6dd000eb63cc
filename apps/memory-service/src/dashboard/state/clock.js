/** The server's clock, as the `Date` of its answers tells it: a wrong clock of the browser shows no other days. */

/** A `Date` header leaves the milliseconds out. */
const DATE_STEP_MS = 999;

let serverAheadMs = 0;

/** The server's time in epoch milliseconds; the browser's as far as no answer said otherwise. */
export const nowMs = () => Date.now() + serverAheadMs;

/** @param {Headers} headers of an answer @param {number} askedAtMs browser time when the question was sent */
export function learnServerTime(headers, askedAtMs) {
  const servedMs = Date.parse(headers.get('Date') ?? '');
  if (Number.isNaN(servedMs)) return;
  // The answer was made between the question and now; what fits to that stays as it is.
  const least = servedMs - Date.now();
  const most = servedMs + DATE_STEP_MS - askedAtMs;
  serverAheadMs = Math.max(least, Math.min(most, serverAheadMs));
}
