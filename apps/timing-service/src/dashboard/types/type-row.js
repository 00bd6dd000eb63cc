/** One row of the table of task types. */

import { failureShare } from '../pieces/failure-share.js';
import { p95Text } from '../pieces/p95-text.js';
import {
  countOf,
  formatCount,
  formatDuration,
  formatInterval,
  formatShare,
  formatShortInterval,
} from '../shared/format.js';
import { html, nothing } from '../shared/template.js';
import { trendCell } from './trend-cell.js';

/** @param {import('./columns.js').Row} row @param {{ isChosen: boolean, onSelect: (type: string) => void }} how */
export function typeRow({ type, summary, outcomes, trend }, { isChosen, onSelect }) {
  const confidence = summary?.confidence ?? 'none';
  /** By column, in the order of COLUMNS. @type {[string, unknown][]} */
  const cells = [
    ['count', formatCount(summary?.count ?? 0)],
    ['median', formatDuration(summary?.median_seconds)],
    ['p95', p95Cell(summary)],
    ['failures', formatShare(failureShare(outcomes))],
    ['confidence', confidence],
    ['trend', trendCell(trend)],
  ];
  return html`
    <tr data-key=${type} data-selected=${isChosen ? 'yes' : 'no'} @click=${() => onSelect(type)}>
      <th scope="row"><button type="button" class="link-button name" dir="auto" title=${type} aria-pressed=${isChosen}>${breakable(type)}</button></th>
      ${cells.map(
        ([id, content]) =>
          html`<td class=${`cell-${id}`} title=${id === 'failures' ? outcomesText(outcomes) : nothing} data-confidence=${id === 'confidence' ? confidence : nothing}>${content}</td>`,
      )}
    </tr>
  `;
}

/** @param {any} summary */
function p95Cell(summary) {
  if (!summary) return html`<span>–</span>`;
  const { p95_interval: interval } = summary;
  return html`<span>${p95Text(summary)}</span><span class="interval" title=${`95 % interval: ${formatInterval(interval)}`}>${formatShortInterval(interval)}</span>`;
}

/** A name such as tool:web/search breaks behind its signs. @param {string} name */
const breakable = (name) => name.split(/(?<=[:/._-])/).map((part, at) => (at === 0 ? part : html`<wbr>${part}`));

/** @param {any} outcomes */
const outcomesText = (outcomes) =>
  outcomes
    ? `${countOf(outcomes.error, 'error')}, ${countOf(outcomes.timeout, 'timeout')}, ${outcomes.cancelled} cancelled, ${outcomes.ok} ok`
    : 'No run has ended ok yet';
