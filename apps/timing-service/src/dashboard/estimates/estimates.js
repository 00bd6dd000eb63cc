/** Estimates against what tasks took, a point for each task, with how far each agent is off. */

import { durationTicks } from '../pieces/ticks.js';
import { alternative } from '../shared/alternative.js';
import { countOf, formatCount, formatDuration, formatTick } from '../shared/format.js';
import { formatMoment } from '../shared/instant.js';
import { plainTable } from '../shared/plain-table.js';
import { savePicture } from '../shared/save-picture.js';
import { html, nothing, render, svg } from '../shared/template.js';
import { nowMs } from '../state/clock.js';
import { spanOf } from '../state/view-state.js';

const SIZE = 320;
const MARGIN = 46;
/** Agents with a colour of their own. */
const COLOURS = 8;
const LEAST_SECONDS = 0.01;
/** More points than this hide each other. */
const MOST_POINTS = 2_000;

/**
 * How far an agent's estimates are off: the ratio actual / estimate in the middle, and how many lie within a factor of two.
 * @param {import('../state/store.js').Task[]} tasks with an estimate and a duration
 */
function offsOf(tasks) {
  /** @type {Map<string, number[]>} */
  const ratios = new Map();
  for (const { agent_id: agent, duration_seconds: took, estimated_seconds: estimated } of tasks) {
    const ratio = Math.max(LEAST_SECONDS, took ?? 0) / Math.max(LEAST_SECONDS, estimated ?? 0);
    const own = ratios.get(agent);
    if (own) own.push(ratio);
    else ratios.set(agent, [ratio]);
  }
  return [...ratios]
    .map(([agent, all]) => {
      const sorted = [...all].sort((a, b) => a - b);
      const middle = (sorted.length - 1) / 2;
      const median = Math.sqrt((sorted[Math.floor(middle)] ?? 1) * (sorted[Math.ceil(middle)] ?? 1));
      const near = sorted.filter((ratio) => ratio >= 0.5 && ratio <= 2).length / sorted.length;
      return { agent, count: sorted.length, median, near };
    })
    .sort((a, b) => b.count - a.count);
}

/** @param {import('../state/store.js').Task[]} tasks */
const newest = (tasks) =>
  tasks.length <= MOST_POINTS
    ? tasks
    : tasks.toSorted((a, b) => (a.started_at < b.started_at ? 1 : -1)).slice(0, MOST_POINTS);

/** @param {HTMLElement} section @param {{ onOpenTask: (id: string) => void }} actions */
export function createCalibration(section, { onOpenTask }) {
  /** @param {import('../state/store.js').Store} store @param {import('../state/view-state.js').ViewState} view @param {import('../reading/past-tasks.js').PastTasks | null} past null: the range ends now */
  function draw(store, view, past) {
    const { fromMs, toMs } = spanOf(view, nowMs());
    const { tasks: known, completeSinceMs, loaded } = past ?? { ...store, tasks: store.tasks.values() };
    const sinceMs = loaded ? Math.max(fromMs, completeSinceMs) : fromMs;
    const tasks = [...known].filter(
      ({ state, outcome, started_at: startedAt, estimated_seconds: estimated }) =>
        state === 'ended' &&
        outcome === 'ok' &&
        estimated !== null &&
        estimated > 0 &&
        Date.parse(startedAt) >= sinceMs &&
        Date.parse(startedAt) <= toMs,
    );
    const range = sinceMs === fromMs ? 'of this range' : `since ${formatMoment(sinceMs)}`;
    const offs = offsOf(tasks);
    render(
      html`
        <div class="card-head">
          <h2 id="calibration-heading">Estimates against actual</h2>
          <p class="card-note">${countOf(tasks.length, 'task')} ${range} that had an estimate and ended ok</p>
        </div>
        ${
          tasks.length === 0
            ? html`<p class="empty">${loaded ? 'No task of this range had an estimate. Choose a longer range in the timeline, or send estimated_seconds with task-start to see how good the guesses are.' : ''}</p>`
            : html`<div class="calibration">${plot(newest(tasks), offs)} ${table(offs)}</div>
              ${tasks.length > MOST_POINTS ? html`<p class="card-foot">The drawing has the newest ${formatCount(MOST_POINTS)} of them; the figures rest on all.</p>` : nothing}
              <button type="button" class="button" @click=${save}>Save picture</button>
              ${alternative({
                summary: 'As a table',
                caption: 'Estimates and durations',
                columns: ['Task type', 'Agent', 'Estimate', 'Took'],
                words: [1],
                rows: () =>
                  tasks
                    .slice(0, 200)
                    .map((task) => [
                      task.task_type,
                      task.agent_id,
                      formatDuration(task.estimated_seconds),
                      formatDuration(task.duration_seconds),
                    ]),
              })}`
        }
      `,
      section,
    );
  }

  function save() {
    const drawing = section.querySelector('svg');
    if (drawing) void savePicture(drawing, 'estimates-against-actual');
  }

  /** @param {import('../state/store.js').Task[]} tasks @param {ReturnType<typeof offsOf>} offs */
  function plot(tasks, offs) {
    const numberOf = new Map(offs.map(({ agent }, at) => [agent, Math.min(at, COLOURS)]));
    const all = tasks.flatMap(({ estimated_seconds: estimated, duration_seconds: took }) => [
      estimated ?? 0,
      took ?? 0,
    ]);
    const low = Math.log10(Math.max(LEAST_SECONDS, Math.min(...all))) - 0.1;
    const high = Math.log10(Math.max(LEAST_SECONDS * 10, ...all)) + 0.1;
    const at = (/** @type {number} */ seconds) =>
      ((Math.log10(Math.max(LEAST_SECONDS, seconds)) - low) / (high - low)) * SIZE;
    const ticks = durationTicks(10 ** low, 10 ** high, 6);
    const x = (/** @type {number} */ seconds) => MARGIN + at(seconds);
    const y = (/** @type {number} */ seconds) => SIZE - at(seconds) + 8;
    return html`
      <svg class="calibration-plot" viewBox=${`0 0 ${SIZE + MARGIN + 14} ${SIZE + MARGIN}`} role="img" aria-label="Estimate and duration of each task, both on a logarithmic scale">
        ${ticks.map(
          (tick) => svg`
            <line class="grid" x1=${x(tick)} x2=${x(tick)} y1="8" y2=${SIZE + 8}></line>
            <line class="grid" x1=${MARGIN} x2=${SIZE + MARGIN} y1=${y(tick)} y2=${y(tick)}></line>
            <text class="tick" x=${x(tick)} y=${SIZE + 22} text-anchor="middle">${formatTick(tick)}</text>
            <text class="tick" x=${MARGIN - 6} y=${y(tick) + 4} text-anchor="end">${formatTick(tick)}</text>`,
        )}
        <line class="exact" x1=${MARGIN} y1=${SIZE + 8} x2=${SIZE + MARGIN} y2="8"></line>
        <text class="tick" x=${MARGIN + SIZE / 2} y=${SIZE + 40} text-anchor="middle">estimated</text>
        <text class="tick" x=${MARGIN + 6} y="20">took</text>
        ${tasks.map(
          (
            task,
          ) => svg`<circle class=${`point series-${numberOf.get(task.agent_id) ?? COLOURS}`} cx=${x(task.estimated_seconds ?? 0)} cy=${y(task.duration_seconds ?? 0)} r="4"
            @click=${() => onOpenTask(task.correlation_id)}><title>${task.task_type}, ${task.agent_id}: ${formatDuration(task.estimated_seconds)} estimated, ${formatDuration(task.duration_seconds)} taken</title></circle>`,
        )}
      </svg>
    `;
  }

  return { render: draw };
}

/** @param {ReturnType<typeof offsOf>} offs */
const table = (offs) =>
  plainTable({
    caption: 'How far estimates are off, by agent',
    columns: ['Agent', 'Tasks', 'Median', 'Within 0.5 to 2×'],
    words: [2],
    rows: offs.map(({ agent, count, median, near }, at) => [
      html`<span class="calibration-agent" title=${agent}><span class=${`swatch series-${Math.min(at, COLOURS)}`}></span>${agent}</span>`,
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
