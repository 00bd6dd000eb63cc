/** A chart with its title, what the pointer tells, and the same numbers as a table. */

import { savePicture } from '../shared/save-picture.js';
import { html } from '../shared/template.js';
import { LINES } from './chart-frame.js';

/** The chart library draws into `.chart` and tells in `.chart-readout`. @param {{ title: string, note: string, table: unknown }} box */
export const chartBox = ({ title, note, table }) => html`
  <div class="chart-box">
    <h3>${title}</h3>
    <p class="chart-note">${note}</p>
    <div class="chart" role="img" aria-label=${`${title}. The table below has the same numbers.`}></div>
    <div class="chart-foot">
      <p class="chart-readout num" aria-hidden="true"></p>
      <button type="button" class="link-button save-picture" aria-label=${`Save picture: ${title}`} @click=${saveCanvas}>Save picture</button>
    </div>
    ${table}
  </div>
`;

/** @param {Event} event */
function saveCanvas(event) {
  const box = /** @type {HTMLElement} */ (event.currentTarget).closest('.chart-box');
  const canvas = box?.querySelector('canvas');
  const title = box?.querySelector('h3')?.textContent ?? 'chart';
  if (canvas) void savePicture(canvas, title.toLowerCase().replace(/[^a-z]+/g, '-'));
}

export const lineLegend = () => html`
  <ul class="line-legend" aria-label="Lines in the charts">
    ${LINES.map(
      ({ id, label, dash }) => html`
        <li><svg class=${`line-key line-key-${id}`} width="26" height="8" aria-hidden="true"><path d="M0,4 H26" stroke-dasharray=${dash.join(' ')}></path></svg> ${label}</li>`,
    )}
  </ul>
`;
