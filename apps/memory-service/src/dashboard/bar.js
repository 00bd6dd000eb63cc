/** A bar for a share. It is hidden from screen readers, because the number stands beside it. */

import { svg } from './shared/dom.js';

const WIDTH = 100;
const HEIGHT = 8;

/** Draws parts side by side from the left. @param {{ name: string, share: number }[]} pieces shares of the whole length, 0 to 1 together */
export function stackedBar(pieces) {
  let x = 0;
  const drawn = pieces.map(({ name, share }) => {
    const piece = svg('rect', { class: `bar-${name}`, x, y: 0, width: share * WIDTH, height: HEIGHT });
    x += share * WIDTH;
    return piece;
  });
  const box = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none' };
  return svg('svg', { class: 'bar', ...box, 'aria-hidden': 'true' }, ...drawn);
}

/** @param {number} share 0 to 1 */
export const bar = (share) => stackedBar([{ name: 'plain', share }]);
