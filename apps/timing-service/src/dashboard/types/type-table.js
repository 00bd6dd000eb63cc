/** The table of task types: sortable, a row opens its details. */

import { failureShare } from '../pieces/failure-share.js';
import {
  countOf,
  formatCount,
  formatDuration,
  formatInterval,
  formatShare,
  formatShortInterval,
} from '../shared/format.js';
import { showMore } from '../shared/show-more.js';
import { html, nothing, render, repeat } from '../shared/template.js';
import { COLUMNS, sortRows } from './columns.js';

const SHOWN_AT_FIRST = 20;
const TREND_TEXT = {
  faster: { mark: '↘', word: 'faster' },
  slower: { mark: '↗', word: 'slower' },
  steady: { mark: '→', word: 'steady' },
  unknown: { mark: '·', word: 'unknown' },
};
const SPARK_WIDTH = 56;
const SPARK_HEIGHT = 16;

/** @param {any} trend */
function sparkline(trend) {
  const values = trend.points.slice(-60).map((/** @type {any} */ point) => Math.log(point.running_median_seconds));
  if (values.length < 2) return nothing;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const y = (/** @type {number} */ value) =>
    high - low < 1e-9 ? SPARK_HEIGHT / 2 : 1 + (1 - (value - low) / (high - low)) * (SPARK_HEIGHT - 2);
  const points = values.map(
    (/** @type {number} */ value, /** @type {number} */ i) =>
      `${((i / (values.length - 1)) * SPARK_WIDTH).toFixed(1)},${y(value).toFixed(1)}`,
  );
  return html`
    <svg class="spark" aria-hidden="true" width=${SPARK_WIDTH} height=${SPARK_HEIGHT} viewBox=${`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`}>
      <polyline points=${points.join(' ')}></polyline>
    </svg>
  `;
}

/** @param {any} trend */
function trendOf(trend) {
  if (!trend) return html`<span class="muted" title="Select the type to see its trend">–</span>`;
  const { mark, word } = TREND_TEXT[/** @type {keyof typeof TREND_TEXT} */ (trend.direction)] ?? TREND_TEXT.unknown;
  const change = trend.ratio === null ? '' : ` (× ${trend.ratio.toFixed(2)})`;
  return html`${sparkline(trend)}<span class="trend" data-direction=${trend.direction} title=${`${word}${change}`}>${mark} ${word}</span>`;
}

/** @param {any} summary */
function p95Of(summary) {
  if (!summary) return html`<span>–</span>`;
  const { p95_seconds: p95, p95_interval: interval } = summary;
  return html`<span>${formatDuration(p95)}</span><span class="interval" title=${`95 % interval: ${formatInterval(interval)}`}>${formatShortInterval(interval)}</span>`;
}

/** @param {any} outcomes */
const outcomesText = (outcomes) =>
  outcomes
    ? `${countOf(outcomes.error, 'error')}, ${countOf(outcomes.timeout, 'timeout')}, ${outcomes.cancelled} cancelled, ${outcomes.ok} ok`
    : 'No run has ended ok yet';

/** A name such as tool:web/search breaks behind its signs. @param {string} name */
const breakable = (name) => name.split(/(?<=[:/._-])/).map((part, at) => (at === 0 ? part : html`<wbr>${part}`));

/** @param {import('./columns.js').Row} row @param {{ isChosen: boolean, onSelect: (type: string) => void }} how */
function typeRow({ type, summary, outcomes, trend }, { isChosen, onSelect }) {
  const confidence = summary?.confidence ?? 'none';
  /** By column, in their order. @type {[string, unknown][]} */
  const cells = [
    ['count', formatCount(summary?.count ?? 0)],
    ['median', formatDuration(summary?.median_seconds)],
    ['p95', p95Of(summary)],
    ['failures', formatShare(failureShare(outcomes))],
    ['confidence', confidence],
    ['trend', trendOf(trend)],
  ];
  return html`
    <tr data-key=${type} data-selected=${isChosen ? 'yes' : 'no'} @click=${() => onSelect(type)}>
      <th scope="row"><button type="button" class="link-button name" title=${type} aria-pressed=${isChosen}>${breakable(type)}</button></th>
      ${cells.map(
        ([id, content], at) =>
          html`<td class=${`cell-${id}`} data-label=${COLUMNS[at + 1]?.label} title=${id === 'failures' ? outcomesText(outcomes) : nothing} data-confidence=${id === 'confidence' ? confidence : nothing}>${content}</td>`,
      )}
    </tr>
  `;
}

/** @param {HTMLElement} section @param {{ onSelect: (type: string) => void, onSort: () => void }} actions */
export function createTypeTable(section, { onSelect, onSort }) {
  const sort = { column: 'count', descending: true };
  let isWhole = false;
  /** @type {string[]} */ let order = [];

  function toggle() {
    isWhole = !isWhole;
    onSort();
  }

  /** @param {string} column */
  function sortBy(column) {
    sort.descending = sort.column === column ? !sort.descending : column !== 'type';
    sort.column = column;
    onSort();
  }

  /** @param {typeof COLUMNS[number]} column */
  function header({ id, label, hint }) {
    const sorted = sort.column === id ? (sort.descending ? 'descending' : 'ascending') : nothing;
    return html`<th scope="col" data-column=${id} aria-sort=${sorted}><button type="button" class="sort" title=${hint} @click=${() => sortBy(id)}>${label}</button></th>`;
  }

  /** @param {import('../state/store.js').Store} store @param {string | null} selected */
  function draw(store, selected) {
    const summaries = new Map(store.summaries.map((summary) => [summary.task_type, summary]));
    const withoutOk = new Map(store.withoutOk.map(({ task_type, outcomes }) => [task_type, outcomes]));
    const names = [...new Set([...store.taskTypes, ...summaries.keys()])];
    const rows = sortRows(
      names.map((type) => {
        const summary = summaries.get(type);
        return { type, summary, outcomes: summary?.outcomes ?? withoutOk.get(type), trend: store.trends.get(type) };
      }),
      sort.column,
      sort.descending,
    );
    order = rows.map((row) => row.type);
    const shown = isWhole ? rows : rows.filter((row, index) => index < SHOWN_AT_FIRST || row.type === selected);
    render(
      html`
        <div class="card-head"><h2 id="types-heading">Task types</h2><p class="card-note">${rows.length === 0 ? '' : countOf(rows.length, 'type')}</p></div>
        <table class="type-table" ?hidden=${rows.length === 0}>
          <caption class="visually-hidden">Task types and how long their runs take. Select one to see its details.</caption>
          <thead><tr>${COLUMNS.map(header)}</tr></thead>
          <tbody>
            ${repeat(
              shown,
              ({ type }) => type,
              (row) => typeRow(row, { isChosen: row.type === selected, onSelect }),
            )}
          </tbody>
        </table>
        ${rows.length === 0 && store.loaded ? html`<p class="empty">No task type yet.</p>` : nothing}
        ${showMore({ count: rows.length, first: SHOWN_AT_FIRST, isWhole, onToggle: toggle })}
      `,
      section,
    );
  }

  return { render: draw, typesInView: () => order };
}
