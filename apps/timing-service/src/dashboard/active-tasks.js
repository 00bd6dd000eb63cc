/** Running tasks, the most urgent first, each as a bar against p50 and p95 of its type. */

import { nowMs } from './clock.js';
import { mostUrgentFirst, RISK_TEXT, riskLevel } from './risk.js';
import { el, setText, syncChildren } from './shared/dom.js';
import { countOf, formatCount, formatDuration, formatElapsed } from './shared/format.js';
import { whoseText } from './whose.js';

const SHOWN_AT_FIRST = 12;
/** The bar ends a little beyond p95, so that its mark is inside. */
const BAR_BEYOND_P95 = 1.35;

/** @typedef {{ task: import('./store.js').Task, level: import('./risk.js').RiskLevel, elapsedSeconds: number, p50Seconds: number | null, p95Seconds: number | null }} Row */

/**
 * @param {import('./store.js').Store} store @param {number} atMs
 * @returns {Row[]}
 */
export function activeRows(store, atMs) {
  const summaries = new Map(store.summaries.map((summary) => [summary.task_type, summary]));
  const rows = [...store.tasks.values()]
    .filter((task) => task.state === 'active')
    .map((task) => {
      const summary = summaries.get(task.task_type);
      const elapsedSeconds = Math.max(0, (atMs - Date.parse(task.started_at)) / 1000);
      const [p50Seconds, p95Seconds] = [summary?.p50_seconds ?? null, summary?.p95_seconds ?? null];
      return { task, level: riskLevel(elapsedSeconds, summary), elapsedSeconds, p50Seconds, p95Seconds };
    });
  return mostUrgentFirst(rows);
}

/** @param {Row} row @param {(type: string) => void} onSelectType */
function createRow({ task }, onSelectType) {
  const select = () => onSelectType(task.task_type);
  return el(
    'li',
    { class: 'active-row' },
    el(
      'div',
      { class: 'active-line' },
      el(
        'button',
        { type: 'button', class: 'link-button name', title: task.task_type, onclick: select },
        task.task_type,
      ),
      el('span', { class: 'risk' }),
      el('span', { class: 'active-elapsed num' }),
    ),
    el(
      'div',
      { class: 'risk-bar', 'aria-hidden': 'true' },
      el('span', { class: 'risk-fill' }),
      el('span', { class: 'risk-mark' }),
      el('span', { class: 'risk-mark risk-mark-p95' }),
    ),
    el(
      'p',
      { class: 'active-note' },
      el('span', { class: 'name', title: whoseText(task) }, whoseText(task)),
      el('span'),
    ),
  );
}

/** @param {HTMLElement} element @param {Row} row */
function updateRow(element, row) {
  const { task, level, elapsedSeconds, p50Seconds, p95Seconds } = row;
  const pick = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (element.querySelector(selector));
  element.dataset.level = level;
  setText(pick('.active-elapsed'), formatElapsed(elapsedSeconds));
  setText(pick('.risk'), `${RISK_TEXT[level].mark} ${RISK_TEXT[level].word}`);
  pick('.risk').title = RISK_TEXT[level].meaning;
  const known = p50Seconds !== null && p95Seconds !== null;
  const end = known ? Math.max(p95Seconds * BAR_BEYOND_P95, elapsedSeconds) : elapsedSeconds * 2 || 1;
  const percent = (/** @type {number} */ seconds) => `${Math.min(100, (seconds / end) * 100).toFixed(1)}%`;
  pick('.risk-fill').style.width = known ? percent(elapsedSeconds) : '100%';
  pick('.risk-mark').hidden = !known;
  pick('.risk-mark-p95').hidden = !known;
  if (known) {
    pick('.risk-mark').style.left = percent(p50Seconds);
    pick('.risk-mark-p95').style.left = percent(p95Seconds);
  }
  const history = known
    ? `p50 ${formatDuration(p50Seconds)} · p95 ${formatDuration(p95Seconds)}`
    : 'no finished run yet to compare with';
  const estimate =
    task.estimated_seconds === null ? '' : ` · agent's estimate ${formatDuration(task.estimated_seconds)}`;
  setText(pick('.active-note span:last-child'), `${history}${estimate}`);
}

/** @param {HTMLElement} section @param {{ onSelectType: (type: string) => void }} actions */
export function createActiveTasks(section, { onSelectType }) {
  let showAll = false;
  let announced = '';
  const count = el('p', { class: 'card-note', role: 'status' });
  const list = el('ol', { class: 'active-list', 'aria-label': 'Active tasks, most urgent first' });
  const empty = el('p', { class: 'empty' }, 'Nothing is running. A task shows here from its start to its end.');
  const more = el('button', { type: 'button', class: 'button', onclick: () => toggle() });
  const legend = el('p', { class: 'card-foot' }, 'Marks on a bar: ', el('i', { class: 'key key-p50' }), ' p50, ');
  legend.append(el('i', { class: 'key key-p95' }), ' p95 of finished runs. Overdue: past 1.2 × p95.');
  section.append(
    el('div', { class: 'card-head' }, el('h2', { id: 'active-heading' }, 'Active tasks'), count),
    list,
    empty,
    more,
    legend,
  );
  /** @type {import('./store.js').Store | null} */
  let last = null;

  function toggle() {
    showAll = !showAll;
    if (last) render(last);
  }

  /** @param {import('./store.js').Store} store */
  function render(store) {
    last = store;
    const rows = activeRows(store, nowMs());
    const shown = showAll ? rows : rows.slice(0, SHOWN_AT_FIRST);
    syncChildren(list, shown, {
      key: (row) => row.task.correlation_id,
      create: (row) => createRow(row, onSelectType),
      update: updateRow,
    });
    list.hidden = rows.length === 0;
    legend.hidden = rows.length === 0;
    empty.hidden = rows.length > 0 || !store.loaded;
    more.hidden = rows.length <= SHOWN_AT_FIRST;
    setText(more, showAll ? `Show the first ${SHOWN_AT_FIRST}` : `Show all ${formatCount(rows.length)}`);
    const overdue = rows.filter((row) => row.level === 'overdue').length;
    const total = store.activeCut ? `newest ${formatCount(rows.length)} tasks` : countOf(rows.length, 'task');
    const text = store.loaded ? `${total} running${overdue > 0 ? `, ${overdue} overdue` : ''}` : 'Loading …';
    if (text !== announced) setText(count, text);
    announced = text;
  }

  return { render };
}
