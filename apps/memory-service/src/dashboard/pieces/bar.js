/** A bar for a share. It is hidden from screen readers, because the number stands beside it. */

import { html, svg } from '../shared/template.js';

const WIDTH = 100;
const HEIGHT = 8;

/** Draws parts side by side from the left. @param {{ name: string, share: number }[]} pieces shares of the whole length, 0 to 1 together */
export function stackedBar(pieces) {
  let x = 0;
  const drawn = pieces.map(({ name, share }) => {
    const piece = svg`<rect class=${`bar-${name}`} x=${x} y="0" width=${share * WIDTH} height=${HEIGHT}></rect>`;
    x += share * WIDTH;
    return piece;
  });
  return html`<svg class="bar" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">${drawn}</svg>`;
}

/** @param {number} share 0 to 1 */
export const bar = (share) => stackedBar([{ name: 'plain', share }]);

/** A share with its bar. @param {number} share 0 to 1 */
export const level = (share) =>
  html`<div class="level">${bar(share)}<span class="num">${Math.round(share * 100)} %</span></div>`;
