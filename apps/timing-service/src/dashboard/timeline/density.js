/** A lane with more tasks than it has room for: columns that count what started, the failed ones below. */

import { countOf } from '../shared/format.js';
import { formatMoment } from '../shared/instant.js';
import { nothing, svg } from '../shared/template.js';
import { columnsOf } from './density-columns.js';

const COLUMN_PIXELS = 4;
export const DENSITY_HEIGHT = 38;
const HEIGHT = DENSITY_HEIGHT - 2;

/**
 * @param {readonly import('../state/store.js').Task[]} tasks @param {{ fromMs: number, toMs: number }} span
 * @param {{ width: number, onLookAt: (atMs: number) => void }} how `width` of the lane, in pixels; `onLookAt`: a column was chosen, around this time
 */
export function density(tasks, span, { width, onLookAt }) {
  const columns = columnsOf(tasks, span, { width, columnWidth: COLUMN_PIXELS });
  const most = Math.max(1, ...columns.map(({ all }) => all));
  const timeOf = (/** @type {number} */ at) => span.fromMs + ((at * COLUMN_PIXELS) / width) * (span.toMs - span.fromMs);
  const heights = (/** @type {'all' | 'failed'} */ what) => columns.map((column) => (column[what] / most) * HEIGHT);
  return svg`
    <path class="bar density" data-outcome="ok" d=${pathOf(heights('all'))}></path>
    <path class="bar density" data-outcome="error" d=${pathOf(heights('failed'))}></path>
    ${columns.map(({ all, failed }, at) =>
      all === 0
        ? nothing
        : svg`<rect class="density-hit" x=${at * COLUMN_PIXELS} width=${COLUMN_PIXELS} height=${DENSITY_HEIGHT} @click=${() => onLookAt(timeOf(at + 0.5))}><title>${countOf(all, 'task')}, ${failed} failed, from ${formatMoment(timeOf(at))}</title></rect>`,
    )}
  `;
}

/** Columns that stand on the ground. @param {readonly number[]} heights in pixels */
function pathOf(heights) {
  const column = (/** @type {number} */ height, /** @type {number} */ at) =>
    height === 0
      ? ''
      : `M${at * COLUMN_PIXELS} ${DENSITY_HEIGHT}v-${height.toFixed(1)}h${COLUMN_PIXELS - 1}V${DENSITY_HEIGHT}z`;
  return heights.map(column).join('');
}
