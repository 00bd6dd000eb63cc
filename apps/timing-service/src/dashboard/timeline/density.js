/** A lane with more tasks than it has room for: columns that count what started, the failed ones below. */

import { countOf } from '../shared/format.js';
import { formatMoment } from '../shared/instant.js';
import { nothing, svg } from '../shared/template.js';

const COLUMN_PIXELS = 4;
export const DENSITY_HEIGHT = 38;
const HEIGHT = DENSITY_HEIGHT - 2;

/** @typedef {{ all: number, failed: number }} Column */

/** Counts the tasks that started in each column. @param {readonly import('../state/store.js').Task[]} tasks @param {{ fromMs: number, toMs: number }} span @param {number} width of the lane in pixels @returns {Column[]} */
function columnsOf(tasks, { fromMs, toMs }, width) {
  const columns = Array.from({ length: Math.ceil(width / COLUMN_PIXELS) }, () => ({ all: 0, failed: 0 }));
  for (const { started_at: startedAt, outcome } of tasks) {
    const share = (Date.parse(startedAt) - fromMs) / (toMs - fromMs);
    const column = columns[Math.floor((share * width) / COLUMN_PIXELS)];
    if (column === undefined) continue;
    column.all += 1;
    if (outcome === 'error' || outcome === 'timeout') column.failed += 1;
  }
  return columns;
}

/**
 * @param {readonly import('../state/store.js').Task[]} tasks @param {{ fromMs: number, toMs: number }} span
 * @param {{ width: number, onLookAt: (atMs: number) => void }} how `onLookAt`: a column was chosen, around this time
 */
export function density(tasks, span, { width, onLookAt }) {
  const columns = columnsOf(tasks, span, width);
  const most = Math.max(1, ...columns.map(({ all }) => all));
  const pieces = (/** @type {(column: Column) => number} */ countOfColumn) =>
    columns
      .map((column, at) => {
        const height = (countOfColumn(column) / most) * HEIGHT;
        return height === 0
          ? ''
          : `M${at * COLUMN_PIXELS} ${DENSITY_HEIGHT}v-${height.toFixed(1)}h${COLUMN_PIXELS - 1}V${DENSITY_HEIGHT}z`;
      })
      .join('');
  const timeOf = (/** @type {number} */ at) => span.fromMs + ((at * COLUMN_PIXELS) / width) * (span.toMs - span.fromMs);
  return svg`
    <path class="bar density" data-outcome="ok" d=${pieces(({ all }) => all)}></path>
    <path class="bar density" data-outcome="error" d=${pieces(({ failed }) => failed)}></path>
    ${columns.map(({ all, failed }, at) =>
      all === 0
        ? nothing
        : svg`<rect class="density-hit" x=${at * COLUMN_PIXELS} width=${COLUMN_PIXELS} height=${DENSITY_HEIGHT} @click=${() => onLookAt(timeOf(at + 0.5))}><title>${countOf(all, 'task')}, ${failed} failed, from ${formatMoment(timeOf(at))}</title></rect>`,
    )}
  `;
}
