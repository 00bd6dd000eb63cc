/** What the page says at its top while the service does not answer. */

import { formatClock, formatElapsed } from './format.js';
import { html, nothing, render } from './template.js';

/** @typedef {{ problem: string, sinceMs: number }} Away since when nothing has been answered, by the clock of the browser */

/**
 * Shows it, or takes it away; what was read before is marked as the last known.
 * @param {HTMLElement} banner @param {Away | null} away null while the service answers
 * @param {{ nowMs: number, hasData: boolean }} page `hasData`: something was read before
 */
export function drawAway(banner, away, { nowMs, hasData }) {
  const isAway = away !== null;
  document.body.dataset.stale = isAway && hasData ? 'yes' : 'no';
  banner.hidden = !isAway;
  // The words are announced once; the seconds that tick beside them are not.
  render(
    isAway
      ? html`<strong>${away.problem.replace(/\.$/, '')}.</strong>
          <span>Since ${formatClock(away.sinceMs)}</span><span class="banner-age" aria-hidden="true"> (${formatElapsed((nowMs - away.sinceMs) / 1000)})</span><span>. Trying again every 5 seconds.${hasData ? ' What you see is the last that was read and may be out of date.' : ''}</span>`
      : nothing,
    banner,
  );
}
