/** One running task, with a bar against p50 and p95 of its type. */

import { whoseText } from '../pieces/whose.js';
import { countOf, formatDuration, formatElapsed } from '../shared/format.js';
import { formatMoment } from '../shared/instant.js';
import { html, svg } from '../shared/template.js';
import { RISK_TEXT, RUNS_TO_JUDGE_BY } from './risk.js';

/** The bar ends a little beyond p95, so that its mark is inside. */
const BAR_BEYOND_P95 = 1.35;

/** @param {import('./active-rows.js').Row} row @param {(type: string) => void} onSelectType */
export function activeRow(row, onSelectType) {
  const { task, level, elapsedSeconds } = row;
  const { mark, word, meaning } = RISK_TEXT[level];
  const whose = whoseText(task);
  const estimate =
    task.estimated_seconds === null ? '' : ` · agent's estimate ${formatDuration(task.estimated_seconds)}`;
  return html`
    <li class="active-row" data-level=${level}>
      <div class="active-line">
        <button type="button" class="link-button name" dir="auto" title=${task.task_type} @click=${() => onSelectType(task.task_type)}>${task.task_type}</button>
        <span class="risk" title=${meaning}>${mark} ${word}</span>
        <span class="active-elapsed num">${formatElapsed(elapsedSeconds)}</span>
      </div>
      ${riskBar(row)}
      <p class="active-note"><span class="name" dir="auto" title=${whose}>${whose}</span><span>${historyText(row)}${estimate}</span></p>
    </li>
  `;
}

/** @param {import('./active-rows.js').Row} row */
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

/** @param {import('./active-rows.js').Row} row */
function historyText({ p50Seconds, p95Seconds, runs, since }) {
  if (p50Seconds === null || p95Seconds === null) return 'no finished run yet to compare with';
  const few = runs < RUNS_TO_JUDGE_BY ? ` of ${countOf(runs, 'run')}, too few to judge by` : '';
  const restsOn = since === null ? '' : ` since it became slower, ${formatMoment(Date.parse(since))}`;
  return `p50 ${formatDuration(p50Seconds)} · p95 ${formatDuration(p95Seconds)}${few}${restsOn}`;
}
