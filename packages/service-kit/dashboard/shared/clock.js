/** The clocks of the browser and of the service, which the `Date` of its answers tells: where the browser's is wrong, a page shows the same. */

/** A `Date` header leaves the milliseconds out. */
const DATE_STEP_MS = 999;

/** Null before an answer told it. @type {number | null} */
let serverAheadMs = null;

/** The browser's time in epoch milliseconds. */
export const browserNowMs = () => Date.now();

/** The service's time in epoch milliseconds; the browser's as far as no answer said otherwise. */
export const nowMs = () => Date.now() + (serverAheadMs ?? 0);

export const isServerTimeKnown = () => serverAheadMs !== null;

/** @param {Headers} headers of an answer @param {number} askedAtMs browser time when the question was sent */
export function learnServerTime(headers, askedAtMs) {
  const servedMs = Date.parse(headers.get('Date') ?? '');
  if (Number.isNaN(servedMs)) return;
  // The answer was made between the question and now; what fits to that stays as it is.
  const least = servedMs - Date.now();
  const most = servedMs + DATE_STEP_MS - askedAtMs;
  serverAheadMs = Math.max(least, Math.min(most, serverAheadMs ?? 0));
}
