/** The one place that reads the browser's clock; corrected by what the server said. */

let serverAheadMs = 0;

/** The browser's time in epoch milliseconds. */
export const browserNowMs = () => Date.now();

/** The server's time in epoch milliseconds, so that a wrong clock here distorts no elapsed time. */
export const nowMs = () => Date.now() + serverAheadMs;

/** @param {string} serverInstant @param {number} askedAtMs browser time when the question was sent */
export function setServerTime(serverInstant, askedAtMs) {
  const middleMs = (askedAtMs + Date.now()) / 2;
  serverAheadMs = Date.parse(serverInstant) - middleMs;
}
