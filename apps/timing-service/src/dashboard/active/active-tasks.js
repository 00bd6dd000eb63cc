/** Running tasks, the most urgent first, each as a bar against p50 and p95 of its type. */

import { whoseText } from '../pieces/whose.js';
import { countOf, formatDuration, formatElapsed } from '../shared/format.js';
import { formatMoment } from '../shared/instant.js';
import { showMore } from '../shared/show-more.js';
import { html, nothing, render, repeat, svg } from '../shared/template.js';
import { nowMs } from '../state/clock.js';
import { mostUrgentFirst, RISK_TEXT, riskLevel } from './risk.js';

const SHOWN_AT_FIRST = 8;
/** The bar ends a little beyond p95, so that its mark is inside. */
const BAR_BEYOND_P95 = 1.35;

/** @typedef {{ task: import('../state/store.js').Task, level: import('./risk.js').RiskLevel, elapsedSeconds: number, p50Seconds: number | null, p95Seconds: number | null, since: string | null }} Row `since`: p95 and the timeout rest on the runs since then alone */

/**
 * @param {import('../state/store.js').Store} store @param {number} atMs
 * @returns {Row[]}
 */
export function activeRows(store, atMs) {
  const summaries = new Map(store.summaries.map((summary) => [summary.task_type, summary]));
  const rows = [...store.tasks.values()]
    .filter((task) => task.state === 'active')
    .map((task) => {
      const summary = summaries.get(task.task_type);
      const elapsedSeconds = Math.max(0, (atMs - Date.parse(task.started_at)) / 1000);
      const timeout = store.timeouts.get(task.task_type);
      const p50Seconds = summary?.p50_seconds ?? null;
      const p95Seconds = (summary && timeout?.percentile_value) ?? summary?.p95_seconds ?? null;
      const level = riskLevel(elapsedSeconds, summary, timeout);
      return { task, level, elapsedSeconds, p50Seconds, p95Seconds, since: timeout?.since ?? null };
    });
  return mostUrgentFirst(rows);
}

/** @param {Row} row */
function riskBar({ elapsedSeconds, p50Seconds, p95Seconds }) {
  if (p50Seconds === null || p95Seconds === null) {
    return html`<svg class="risk-bar" aria-hidden="true"><rect class="risk-fill" width="100%" height="100%" rx="4"></rect></svg>`;
  }
  const end = Math.max(p95Seconds * BAR_BEYOND_P95, elapsedSeconds);
  const percent = (/** @type {number} */ seconds) => `${Math.min(100, (seconds / end) * 100).toFixed(1)}%`;
  const mark = (/** @type {string} */ className, /** @type {number} */ seconds) =>
    svg`<line class=${`risk-mark ${className}`} x1=${percent(seconds)} x2=${percent(seconds)} y1="-3" y2="11"></line>`;
  return html`
    <svg class="risk-bar" aria-hidden="true">
      <rect class="risk-fill" width=${percent(elapsedSeconds)} height="100%" rx="4"></rect>
      ${mark('', p50Seconds)} ${mark('risk-mark-p95', p95Seconds)}
    </svg>
  `;
}

/** @param {Row} row @param {(type: string) => void} onSelectType */
function activeRow(row, onSelectType) {
  const { task, level, elapsedSeconds, p50Seconds, p95Seconds, since } = row;
  const { mark, word, meaning } = RISK_TEXT[level];
  const whose = whoseText(task);
  const history =
    p50Seconds === null || p95Seconds === null
      ? 'no finished run yet to compare with'
      : `p50 ${formatDuration(p50Seconds)} · p95 ${formatDuration(p95Seconds)}${since === null ? '' : ` since it became slower, ${formatMoment(Date.parse(since))}`}`;
  const estimate =
    task.estimated_seconds === null ? '' : ` · agent's estimate ${formatDuration(task.estimated_seconds)}`;
  return html`
    <li class="active-row" data-level=${level}>
      <div class="active-line">
        <button type="button" class="link-button name" title=${task.task_type} @click=${() => onSelectType(task.task_type)}>${task.task_type}</button>
        <span class="risk" title=${meaning}>${mark} ${word}</span>
        <span class="active-elapsed num">${formatElapsed(elapsedSeconds)}</span>
      </div>
      ${riskBar(row)}
      <p class="active-note"><span class="name" title=${whose}>${whose}</span><span>${history}${estimate}</span></p>
    </li>
  `;
}

/** @param {HTMLElement} section @param {{ onSelectType: (type: string) => void }} actions */
export function createActiveTasks(section, { onSelectType }) {
  let isWhole = false;

  /** @param {import('../state/store.js').Store} store */
  function draw(store) {
    const rows = activeRows(store, nowMs());
    const shown = isWhole ? rows : rows.slice(0, SHOWN_AT_FIRST);
    const toggle = () => {
      isWhole = !isWhole;
      draw(store);
    };
    render(
      html`
        <div class="card-head"><h2 id="active-heading">Active tasks</h2><p class="card-note" role="status">${summaryOf(store, rows)}</p></div>
        <ol class="active-list" aria-label="Active tasks, most urgent first" ?hidden=${rows.length === 0}>
          ${repeat(
            shown,
            ({ task }) => task.correlation_id,
            (row) => activeRow(row, onSelectType),
          )}
        </ol>
        ${showMore({ count: rows.length, first: SHOWN_AT_FIRST, isWhole, onToggle: toggle })}
        ${
          rows.length > 0
            ? html`<p class="card-foot">Marks on a bar: <i class="key key-p50"></i> p50, <i class="key key-p95"></i> p95 of finished runs. Overdue: past the recommended timeout, 1.2 × p95; where a type has become slower, p95 is that of the runs since.</p>`
            : store.loaded
              ? html`<p class="empty">Nothing is running. A task shows here from its start to its end.</p>`
              : nothing
        }
      `,
      section,
    );
  }

  return { render: draw };
}

/** @param {import('../state/store.js').Store} store @param {Row[]} rows */
function summaryOf(store, rows) {
  if (!store.loaded) return 'Loading …';
  const overdue = rows.filter(({ level }) => level === 'overdue').length;
  const total = `${store.activeCut ? 'newest ' : ''}${countOf(rows.length, 'task')}`;
  return `${total} running${overdue > 0 ? `, ${overdue} overdue` : ''}`;
}
