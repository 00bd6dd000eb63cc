/** Figures side by side, each under its name. */

import { html, nothing } from './template.js';

/**
 * @param {{ label: string, value: unknown, needsLook?: boolean, isAlert?: boolean }[]} figures
 *   `needsLook`: somebody should look at it; `isAlert`: something is wrong
 */
export const tiles = (figures) => html`
  <dl class="tiles">
    ${figures.map(
      ({ label, value, needsLook = false, isAlert = false }) =>
        html`<div class="tile" data-look=${needsLook ? 'yes' : nothing} data-alert=${isAlert ? 'yes' : nothing}><dt>${label}</dt><dd class="num">${value}</dd></div>`,
    )}
  </dl>
`;
