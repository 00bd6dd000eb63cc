/** What became quicker and what slower, by task type. */

import { countOf, formatDuration, formatShare } from '../shared/format.js';
import { plainTable } from '../shared/plain-table.js';
import { html } from '../shared/template.js';
import { compared } from './figures.js';

/** @param {{ a: import('./figures.js').RangeRead, b: import('./figures.js').RangeRead }} seen */
export function comparisonTable({ a, b }) {
  const types = compared(a.figures, b.figures);
  if (types.length === 0) return html`<p class="empty">No task was started in either range.</p>`;
  return html`
    ${plainTable({
      caption: 'Two ranges compared by task type',
      columns: ['Task type', 'Tasks', 'Median', 'Change', 'Failures'],
      words: [3],
      rows: types.map(rowOf),
    })}
    <p class="card-foot">${countOf(a.count, 'task')} before, ${countOf(b.count, 'task')} after. Medians are of those that ended ok. Slower and quicker, the greatest change first: by a tenth, and by more than chance (rank-sum test, 1 %).</p>
  `;
}

/** @param {import('./figures.js').Compared} compared */
const rowOf = ({ type, before, after, change }) => [
  type,
  `${before?.runs ?? 0} → ${after?.runs ?? 0}`,
  `${formatDuration(before?.median ?? null)} → ${formatDuration(after?.median ?? null)}`,
  change === undefined ? '' : inWords(change),
  `${failureShareOf(before)} → ${failureShareOf(after)}`,
];

/** @param {import('./figures.js').Figures | undefined} figures */
const failureShareOf = (figures) => (figures ? formatShare(figures.failed / figures.runs) : '–');

/** @param {import('./figures.js').Change} change */
const inWords = ({ ratio, kind }) =>
  html`<span class="num" data-change=${kind}>×\u00a0${ratio.toFixed(2)}${kind === 'same' ? '' : ` ${kind}`}</span>`;
