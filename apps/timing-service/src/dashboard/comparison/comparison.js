/** Two ranges of time side by side: how many runs of each type, how long they took, how many failed. */

import { MOST_PAGES, taskPages } from '../reading/task-pages.js';
import { calendarDay, startOfDay } from '../shared/calendar-day.js';
import { countOf, formatDuration, formatShare } from '../shared/format.js';
import { plainTable } from '../shared/plain-table.js';
import { html, live, render } from '../shared/template.js';
import { browserNowMs } from '../state/clock.js';
import { isClear } from './rank-sum.js';

/** @typedef {{ runs: number, durations: number[], failed: number, median: number | null }} Figures */

/** @param {import('../state/store.js').Task[]} tasks @returns {Map<string, Figures>} by task type */
function figuresOf(tasks) {
  /** @type {Map<string, import('../state/store.js').Task[]>} */
  const byType = new Map();
  for (const task of tasks) {
    const own = byType.get(task.task_type);
    if (own) own.push(task);
    else byType.set(task.task_type, [task]);
  }
  return new Map(
    [...byType].map(([type, own]) => {
      const durations = own
        .filter(({ outcome }) => outcome === 'ok')
        .map(({ duration_seconds: seconds }) => seconds ?? 0)
        .sort((a, b) => a - b);
      const middle = (durations.length - 1) / 2;
      const median =
        durations.length === 0
          ? null
          : ((durations[Math.floor(middle)] ?? 0) + (durations[Math.ceil(middle)] ?? 0)) / 2;
      const failed = own.filter(({ outcome }) => outcome === 'error' || outcome === 'timeout').length;
      return [type, { runs: own.length, durations, failed, median }];
    }),
  );
}

/** @param {HTMLElement} section @param {import('../reading/controller.js').Controller} controller */
export function createCompareRanges(section, controller) {
  const dayOf = (/** @type {number} */ back) => calendarDay(startOfDay(browserNowMs(), -back));
  /** Days of the reader's calendar, both included. */
  const days = { a_from: dayOf(13), a_to: dayOf(7), b_from: dayOf(6), b_to: dayOf(0) };
  /** @type {{ a: any, b: any } | null} */ let seen = null;
  let note = '';

  async function load() {
    const api = controller.api();
    note = 'Reading …';
    draw();
    try {
      const [a, b] = await Promise.all([read(api, days.a_from, days.a_to), read(api, days.b_from, days.b_to)]);
      if (api !== controller.api()) return;
      seen = { a, b };
      note = a.isCut || b.isCut ? `Of a range with more than ${MOST_PAGES},000 tasks the newest of them.` : '';
    } catch (error) {
      note = error instanceof Error ? error.message : String(error);
    }
    draw();
  }

  /** @param {import('../reading/api.js').Api} api @param {string} from @param {string} to */
  async function read(api, from, to) {
    const [fromMs, toMs] = [Date.parse(`${from}T00:00`), startOfDay(Date.parse(`${to}T00:00`), 1)];
    if (!(fromMs < toMs)) throw new Error('A range must not end before it begins.');
    /** @type {import('../state/store.js').Task[]} */ const tasks = [];
    let isCut = false;
    for await (const page of taskPages(api, { fromMs, toMs })) {
      tasks.push(...page.tasks);
      isCut = page.completeSinceMs > fromMs;
    }
    return { figures: figuresOf(tasks), count: tasks.length, isCut };
  }

  function draw() {
    const field = (/** @type {keyof typeof days} */ name, /** @type {string} */ label) => html`
      <label class="field" for=${`range-${name}`}><span>${label}</span>
        <input id=${`range-${name}`} type="date" required .value=${live(days[name])} @change=${(
          /** @type {Event} */ event,
        ) => {
          days[name] = /** @type {HTMLInputElement} */ (event.currentTarget).value;
        }}>
      </label>`;
    render(
      html`
        <div class="card-head"><h2 id="compare-heading">Two ranges compared</h2><p class="card-note" role="status">${note}</p></div>
        <form class="filters" @submit=${(/** @type {Event} */ event) => {
          event.preventDefault();
          void load();
        }}>
          ${field('a_from', 'Before: from')} ${field('a_to', 'to')} ${field('b_from', 'After: from')} ${field('b_to', 'to')}
          <button type="submit" class="button">Compare</button>
        </form>
        ${seen === null ? html`<p class="card-note">Choose two ranges to see what became quicker and what slower.</p>` : table(seen)}
      `,
      section,
    );
  }

  return {
    render: draw,
    forget() {
      seen = null;
      note = '';
      draw();
    },
  };
}

/** @param {{ a: any, b: any }} seen */
function table({ a, b }) {
  const types = [...new Set([...a.figures.keys(), ...b.figures.keys()])].sort();
  const changes = new Map(types.map((type) => [type, changeOf(a.figures.get(type), b.figures.get(type))]));
  types.sort((one, other) => sizeOf(changes.get(other)) - sizeOf(changes.get(one)));
  if (types.length === 0) return html`<p class="empty">No task was started in either range.</p>`;
  return html`
    ${plainTable({
      caption: 'Two ranges compared by task type',
      columns: ['Task type', 'Tasks', 'Median', 'Change', 'Failures'],
      words: [3],
      rows: types.map((type) => row(type, a.figures.get(type), b.figures.get(type), changes.get(type))),
    })}
    <p class="card-foot">${countOf(a.count, 'task')} before, ${countOf(b.count, 'task')} after. Medians are of those that ended ok. Slower and quicker, the greatest change first: by a tenth, and by more than chance (rank-sum test, 1 %).</p>
  `;
}

/** @typedef {{ ratio: number, kind: 'slower' | 'quicker' | 'same' }} Change by the medians */

/** @param {Figures | undefined} before @param {Figures | undefined} after @returns {Change | undefined} */
function changeOf(before, after) {
  if (!before?.median || !after?.median) return undefined;
  const ratio = after.median / before.median;
  const clear = isClear(before.durations, after.durations);
  return { ratio, kind: clear && ratio > 1.1 ? 'slower' : clear && ratio < 0.9 ? 'quicker' : 'same' };
}

/** @param {Change | undefined} change */
const sizeOf = (change) => (change === undefined || change.kind === 'same' ? 0 : Math.abs(Math.log(change.ratio)));

/** @param {string} type @param {Figures | undefined} before @param {Figures | undefined} after @param {Change | undefined} change */
function row(type, before, after, change) {
  const failed = (/** @type {Figures | undefined} */ figures) =>
    figures ? formatShare(figures.failed / figures.runs) : '–';
  return [
    type,
    `${before?.runs ?? 0} → ${after?.runs ?? 0}`,
    `${formatDuration(before?.median ?? null)} → ${formatDuration(after?.median ?? null)}`,
    change === undefined ? '' : inWords(change),
    `${failed(before)} → ${failed(after)}`,
  ];
}

/** @param {Change} change */
function inWords({ ratio, kind }) {
  return html`<span class="num" data-change=${kind}>× ${ratio.toFixed(2)}${kind === 'same' ? '' : ` ${kind}`}</span>`;
}
