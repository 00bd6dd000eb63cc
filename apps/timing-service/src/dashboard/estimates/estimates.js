/** Estimates against what tasks took, a point for each task, with how far each agent is off. */

import { alternative } from '../shared/alternative.js';
import { nowMs } from '../shared/clock.js';
import { countOf, formatCount, formatDuration } from '../shared/format.js';
import { formatMoment } from '../shared/instant.js';
import { plainTable } from '../shared/plain-table.js';
import { savePicture } from '../shared/save-picture.js';
import { html, nothing, render } from '../shared/template.js';
import { spanOf } from '../state/view-state.js';
import { estimatedTasks, offsOf } from './estimated-tasks.js';
import { plot } from './plot.js';

/** Agents with a colour of their own. */
const COLOURS = 8;
/** More points than this hide each other. */
const MOST_POINTS = 2_000;
const TABLE_ROWS = 200;
/** So few points are read one by one: their table stands open beside a smaller drawing. */
const FEW = 10;

/**
 * @param {HTMLElement} section
 * @param {{ tasks: Iterable<import('../state/store.js').Task>, completeSinceMs: number, loaded: boolean }} known the tasks of the chosen time
 * @param {import('../state/view-state.js').ViewState} view
 * @param {(id: string) => void} onOpenTask
 */
export function renderEstimates(section, known, view, onOpenTask) {
  const { fromMs, toMs } = spanOf(view, nowMs());
  const sinceMs = known.loaded ? Math.max(fromMs, known.completeSinceMs) : fromMs;
  const tasks = estimatedTasks(known.tasks, { sinceMs, toMs });
  const range = sinceMs === fromMs ? 'of this range' : `since ${formatMoment(sinceMs)}`;
  const onSave = () => {
    const drawing = section.querySelector('svg');
    if (drawing) void savePicture(drawing, 'estimates-against-actual', { legend: legendOf(section) });
  };
  render(
    html`
      <div class="card-head">
        <h2 id="calibration-heading">Estimates against actual</h2>
        <p class="card-note">${countOf(tasks.length, 'task')} ${range} that had an estimate and ended ok</p>
      </div>
      ${tasks.length === 0 ? empty(known.loaded) : picture(tasks, { onOpenTask, onSave })}
    `,
    section,
  );
}

/** What the colours mean: the agents that have their own, and the others. @param {HTMLElement} section */
function legendOf(section) {
  const agents = [...section.querySelectorAll('.calibration-agent')];
  return agents.slice(0, COLOURS + 1).map((agent, at) => ({
    label: at < COLOURS ? (agent.textContent ?? '') : countOf(agents.length - COLOURS, 'other agent'),
    swatch: /** @type {Element} */ (agent.querySelector('.swatch')),
  }));
}

/** @param {boolean} isLoaded */
const empty = (isLoaded) =>
  html`<p class="empty">${isLoaded ? 'No task of this range had an estimate. Choose a longer range in the timeline, or send estimated_seconds with task-start to see how good the guesses are.' : ''}</p>`;

/** @param {import('../state/store.js').Task[]} tasks @param {{ onOpenTask: (id: string) => void, onSave: () => void }} actions */
function picture(tasks, { onOpenTask, onSave }) {
  const offs = offsOf(tasks);
  const numberOf = new Map(offs.map(({ agent }, at) => [agent, Math.min(at, COLOURS)]));
  const seriesOf = (/** @type {string} */ agent) => numberOf.get(agent) ?? COLOURS;
  return html`
    <div class="calibration" data-tasks=${tasks.length > FEW ? 'many' : 'few'}>
      ${plot(newest(tasks), { seriesOf, onOpenTask })}
      <div>
        ${offsTable(offs)}
        ${tasks.length > MOST_POINTS ? html`<p class="card-foot">The drawing has the newest ${formatCount(MOST_POINTS)} of them; the figures rest on all.</p>` : nothing}
        <button type="button" class="button" @click=${onSave}>Save picture</button>
        ${taskTable(tasks)}
      </div>
    </div>
  `;
}

/** @param {import('../state/store.js').Task[]} tasks */
const newest = (tasks) =>
  tasks.length <= MOST_POINTS
    ? tasks
    : tasks.toSorted((a, b) => (a.started_at < b.started_at ? 1 : -1)).slice(0, MOST_POINTS);

/** @param {import('./estimated-tasks.js').Off[]} offs */
const offsTable = (offs) =>
  plainTable({
    caption: 'How far estimates are off, by agent',
    columns: ['Agent', 'Tasks', 'Median', 'Within 0.5 to 2×'],
    words: [2],
    rows: offs.map(({ agent, count, median, near }, at) => [
      html`<span class="calibration-agent" title=${agent}><span class=${`swatch series-${Math.min(at, COLOURS)}`}></span><bdi>${agent}</bdi></span>`,
      count,
      inWords(median),
      `${Math.round(near * 100)} %`,
    ]),
  });

/** @param {number} ratio actual / estimate */
function inWords(ratio) {
  if (ratio > 1.1) return html`takes <strong class="num">${ratio.toFixed(1)}×</strong> as long as estimated`;
  if (ratio < 0.9) return html`takes <strong class="num">${lessThanOne(ratio)}×</strong> of what was estimated`;
  return 'as estimated';
}

/** @param {number} ratio */
const lessThanOne = (ratio) => (ratio < 0.1 ? 'less than 0.1' : ratio.toFixed(1));

/** @param {import('../state/store.js').Task[]} tasks */
const taskTable = (tasks) =>
  alternative({
    summary: 'As a table',
    caption: 'Estimates and durations',
    isOpen: tasks.length <= FEW,
    columns: ['Task type', 'Agent', 'Estimate', 'Took'],
    words: [1],
    rows: () =>
      tasks
        .slice(0, TABLE_ROWS)
        .map((task) => [
          task.task_type,
          task.agent_id,
          formatDuration(task.estimated_seconds),
          formatDuration(task.duration_seconds),
        ]),
  });
