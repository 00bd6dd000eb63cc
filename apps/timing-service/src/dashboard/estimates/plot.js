/** A point for each task: what was estimated across, what it took upwards, both on a logarithmic scale. */

import { durationTicks } from '../pieces/ticks.js';
import { formatDuration, formatTick } from '../shared/format.js';
import { html, svg } from '../shared/template.js';
import { LEAST_SECONDS } from './estimated-tasks.js';

const SIZE = 320;
const MARGIN = 46;
/** Half of the words of a tick at the right edge. */
const RIGHT_MARGIN = 22;
const MOST_TICKS = 6;

/**
 * @param {import('../state/store.js').Task[]} tasks
 * @param {{ seriesOf: (agent: string) => number, onOpenTask: (id: string) => void }} how `seriesOf`: the colour of an agent
 */
export function plot(tasks, { seriesOf, onOpenTask }) {
  const scale = scaleOf(tasks);
  return html`
    <svg class="calibration-plot" viewBox=${`0 0 ${MARGIN + SIZE + RIGHT_MARGIN} ${SIZE + MARGIN}`} role="img" aria-label="Estimate and duration of each task, both on a logarithmic scale">
      ${grid(scale)}
      <line class="exact" x1=${MARGIN} y1=${SIZE + 8} x2=${SIZE + MARGIN} y2="8"></line>
      <text class="tick" x=${MARGIN + SIZE / 2} y=${SIZE + 40} text-anchor="middle">estimated</text>
      <text class="tick" x=${MARGIN + 6} y="20">took</text>
      ${tasks.map(
        (
          task,
        ) => svg`<circle class=${`point series-${seriesOf(task.agent_id)}`} cx=${scale.x(task.estimated_seconds ?? 0)} cy=${scale.y(task.duration_seconds ?? 0)} r="4"
          @click=${() => onOpenTask(task.correlation_id)}><title>${task.task_type}, ${task.agent_id}: ${formatDuration(task.estimated_seconds)} estimated, ${formatDuration(task.duration_seconds)} taken</title></circle>`,
      )}
    </svg>
  `;
}

/** @param {import('../state/store.js').Task[]} tasks */
function scaleOf(tasks) {
  const all = tasks.flatMap(({ estimated_seconds: estimated, duration_seconds: took }) => [estimated ?? 0, took ?? 0]);
  const low = Math.log10(Math.max(LEAST_SECONDS, Math.min(...all))) - 0.1;
  const high = Math.log10(Math.max(LEAST_SECONDS * 10, ...all)) + 0.1;
  const at = (/** @type {number} */ seconds) =>
    ((Math.log10(Math.max(LEAST_SECONDS, seconds)) - low) / (high - low)) * SIZE;
  return {
    ticks: durationTicks(10 ** low, 10 ** high, MOST_TICKS),
    x: (/** @type {number} */ seconds) => MARGIN + at(seconds),
    y: (/** @type {number} */ seconds) => SIZE - at(seconds) + 8,
  };
}

/** @param {ReturnType<typeof scaleOf>} scale */
const grid = ({ ticks, x, y }) =>
  ticks.map(
    (tick) => svg`
      <line class="grid" x1=${x(tick)} x2=${x(tick)} y1="8" y2=${SIZE + 8}></line>
      <line class="grid" x1=${MARGIN} x2=${SIZE + MARGIN} y1=${y(tick)} y2=${y(tick)}></line>
      <text class="tick" x=${x(tick)} y=${SIZE + 22} text-anchor="middle">${formatTick(tick)}</text>
      <text class="tick" x=${MARGIN - 6} y=${y(tick) + 4} text-anchor="end">${formatTick(tick)}</text>`,
  );
