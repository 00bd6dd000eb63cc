/** The table of task types: sortable, a row opens its details. */

import { el, setText, svg, syncChildren } from './shared/dom.js';
import {
  countOf,
  formatCount,
  formatDuration,
  formatInterval,
  formatShare,
  formatShortInterval,
} from './shared/format.js';
import { COLUMNS, failureShare, sortRows } from './type-columns.js';

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
  if (values.length < 2) return null;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const y = (/** @type {number} */ value) =>
    high - low < 1e-9 ? SPARK_HEIGHT / 2 : 1 + (1 - (value - low) / (high - low)) * (SPARK_HEIGHT - 2);
  const points = values.map(
    (/** @type {number} */ value, /** @type {number} */ i) =>
      `${((i / (values.length - 1)) * SPARK_WIDTH).toFixed(1)},${y(value).toFixed(1)}`,
  );
  const box = { width: SPARK_WIDTH, height: SPARK_HEIGHT, viewBox: `0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}` };
  return svg('svg', { class: 'spark', 'aria-hidden': 'true', ...box }, svg('polyline', { points: points.join(' ') }));
}

/** @param {any} trend */
function trendCell(trend) {
  if (!trend) return [el('span', { class: 'muted', title: 'Select the type to see its trend' }, '–')];
  const { mark, word } = TREND_TEXT[/** @type {keyof typeof TREND_TEXT} */ (trend.direction)] ?? TREND_TEXT.unknown;
  const change = trend.ratio === null ? '' : ` (× ${trend.ratio.toFixed(2)})`;
  return [
    sparkline(trend),
    el('span', { class: 'trend', 'data-direction': trend.direction, title: `${word}${change}` }, `${mark} ${word}`),
  ];
}

/** @param {HTMLElement} section @param {{ onSelect: (type: string) => void, onSort: () => void }} actions */
export function createTypeTable(section, { onSelect, onSort }) {
  const sort = { column: 'count', descending: true };
  let showAll = false;
  /** @type {string[]} */ let order = [];
  const note = el('p', { class: 'card-note' });
  const headers = COLUMNS.map((column) =>
    el(
      'th',
      { scope: 'col', 'data-column': column.id },
      el(
        'button',
        { type: 'button', class: 'sort', title: column.hint, onclick: () => sortBy(column.id) },
        column.label,
      ),
    ),
  );
  const body = el('tbody');
  const table = el(
    'table',
    { class: 'type-table' },
    el(
      'caption',
      { class: 'visually-hidden' },
      'Task types and how long their runs take. Select one to see its details.',
    ),
    el('thead', {}, el('tr', {}, ...headers)),
    body,
  );
  const empty = el('p', { class: 'empty' }, 'No task type yet.');
  const more = el('button', { type: 'button', class: 'button', onclick: () => toggle() });
  section.append(
    el('div', { class: 'card-head' }, el('h2', { id: 'types-heading' }, 'Task types'), note),
    table,
    empty,
    more,
  );

  function toggle() {
    showAll = !showAll;
    onSort();
  }

  /** @param {string} column */
  function sortBy(column) {
    sort.descending = sort.column === column ? !sort.descending : column !== 'type';
    sort.column = column;
    onSort();
  }

  /** @param {import('./type-columns.js').Row} row */
  function createRow({ type }) {
    const cells = COLUMNS.slice(1).map((column) =>
      el('td', { 'data-label': column.label, class: `cell-${column.id}` }),
    );
    const button = el('button', { type: 'button', class: 'link-button name', title: type }, type);
    return el('tr', { onclick: () => onSelect(type) }, el('th', { scope: 'row' }, button), ...cells);
  }

  /** @param {HTMLElement} element @param {import('./type-columns.js').Row} row @param {string | null} selected */
  function updateRow(element, { type, summary, trend }, selected) {
    const cell = (/** @type {string} */ id) => /** @type {HTMLElement} */ (element.querySelector(`.cell-${id}`));
    const chosen = type === selected;
    element.dataset.selected = chosen ? 'yes' : 'no';
    element.querySelector('button')?.setAttribute('aria-pressed', String(chosen));
    setText(cell('count'), formatCount(summary?.count ?? 0));
    setText(cell('median'), formatDuration(summary?.median_seconds));
    const p95 = summary ? `${formatDuration(summary.p95_seconds)}\n${formatShortInterval(summary.p95_interval)}` : '–';
    if (cell('p95').dataset.text !== p95) {
      const [value, interval] = p95.split('\n');
      cell('p95').dataset.text = p95;
      cell('p95').replaceChildren(
        el('span', {}, value ?? ''),
        el(
          'span',
          { class: 'interval', title: `95 % interval: ${formatInterval(summary?.p95_interval)}` },
          interval ?? '',
        ),
      );
    }
    const outcomes = summary?.outcomes;
    setText(cell('failures'), formatShare(failureShare(summary)));
    cell('failures').title = outcomes
      ? `${countOf(outcomes.error, 'error')}, ${countOf(outcomes.timeout, 'timeout')}, ${outcomes.cancelled} cancelled, ${outcomes.ok} ok`
      : 'No run has ended ok yet';
    const confidence = summary?.confidence ?? 'none';
    cell('confidence').dataset.confidence = confidence;
    setText(cell('confidence'), confidence);
    const trendKey = trend
      ? `${trend.direction}${trend.ratio}${trend.points.length}${trend.points.at(-1)?.started_at}`
      : '-';
    if (cell('trend').dataset.text !== trendKey) {
      cell('trend').dataset.text = trendKey;
      cell('trend').replaceChildren(...trendCell(trend).filter((part) => part !== null));
    }
  }

  /** @param {import('./store.js').Store} store @param {string | null} selected */
  function render(store, selected) {
    const summaries = new Map(store.summaries.map((summary) => [summary.task_type, summary]));
    const names = [...new Set([...store.taskTypes, ...summaries.keys()])];
    const rows = sortRows(
      names.map((type) => ({ type, summary: summaries.get(type), trend: store.trends.get(type) })),
      sort.column,
      sort.descending,
    );
    order = rows.map((row) => row.type);
    const shown = showAll ? rows : rows.filter((row, index) => index < SHOWN_AT_FIRST || row.type === selected);
    syncChildren(body, shown, {
      key: (row) => row.type,
      create: createRow,
      update: (e, row) => updateRow(e, row, selected),
    });
    for (const header of headers) {
      const sorted = header.dataset.column === sort.column;
      if (sorted) header.setAttribute('aria-sort', sort.descending ? 'descending' : 'ascending');
      else header.removeAttribute('aria-sort');
    }
    table.hidden = rows.length === 0;
    empty.hidden = rows.length > 0 || !store.loaded;
    more.hidden = rows.length <= SHOWN_AT_FIRST;
    setText(more, showAll ? `Show the first ${SHOWN_AT_FIRST}` : `Show all ${formatCount(rows.length)}`);
    setText(note, rows.length === 0 ? '' : countOf(rows.length, 'type'));
  }

  return { render, typesInView: () => order };
}
