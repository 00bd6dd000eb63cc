/** A lane with more tasks than it has room for: columns that count what started, the failed ones below. */

import { countOf } from '../shared/format.js';
import { formatMoment } from '../shared/instant.js';
import { svg } from '../shared/template.js';
import { columnsOf } from './density-columns.js';

const COLUMN_PIXELS = 4;
export const DENSITY_HEIGHT = 38;
const HEIGHT = DENSITY_HEIGHT - 2;

/** @typedef {{ x: number, width: number, all: number, failed: number }} Block columns in pixels */

/**
 * @param {readonly import('../state/store.js').Task[]} tasks
 * @param {readonly import('../reading/days-before.js').DayCount[]} days before these tasks, a wide column for each
 * @param {{ span: { fromMs: number, toMs: number }, width: number, onLookAt: (atMs: number) => void }} how `width` of the lane, in pixels; `onLookAt`: a column was chosen, around this time
 */
export function density(tasks, days, { span, width, onLookAt }) {
  const pixelsOf = (/** @type {number} */ atMs) => ((atMs - span.fromMs) / (span.toMs - span.fromMs)) * width;
  const timeOf = (/** @type {number} */ x) => span.fromMs + (x / width) * (span.toMs - span.fromMs);
  const columns = [
    ...days.map((day) => dayColumn(day, pixelsOf)),
    ...columnsOf(tasks, span, { width, columnWidth: COLUMN_PIXELS }).map((column, at) => ({
      ...column,
      x: at * COLUMN_PIXELS,
      width: COLUMN_PIXELS,
    })),
  ].filter(({ all }) => all > 0);
  const most = Math.max(1, ...columns.map((column) => perColumn(column, 'all')));
  return svg`
    <path class="bar density" data-outcome="ok" d=${pathOf(columns, 'all', most)}></path>
    <path class="bar density" data-outcome="error" d=${pathOf(columns, 'failed', most)}></path>
    ${columns.map(({ x, width: columnWidth, all, failed }) => {
      const onClick = () => onLookAt(timeOf(x + columnWidth / 2));
      return svg`<rect class="density-hit" x=${x} width=${columnWidth} height=${DENSITY_HEIGHT} @click=${onClick}><title>${countOf(all, 'task')}, ${failed} failed, from ${formatMoment(timeOf(x))}</title></rect>`;
    })}
  `;
}

/** @param {import('../reading/days-before.js').DayCount} day @param {(atMs: number) => number} pixelsOf @returns {Block} */
function dayColumn({ fromMs, toMs, all, failed }, pixelsOf) {
  const x = Math.max(0, pixelsOf(fromMs));
  return { x, width: Math.max(COLUMN_PIXELS, pixelsOf(toMs) - x), all, failed };
}

/** A wide column is as high as the narrow ones in its place would be on average. @param {Block} column @param {'all' | 'failed'} what */
const perColumn = (column, what) => (column[what] * COLUMN_PIXELS) / column.width;

/** Columns that stand on the ground. @param {readonly Block[]} columns @param {'all' | 'failed'} what @param {number} most per column */
function pathOf(columns, what, most) {
  const path = (/** @type {Block} */ column) =>
    column[what] === 0
      ? ''
      : `M${column.x} ${DENSITY_HEIGHT}v-${((perColumn(column, what) / most) * HEIGHT).toFixed(1)}h${column.width - 1}V${DENSITY_HEIGHT}z`;
  return columns.map(path).join('');
}
