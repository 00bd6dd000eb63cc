/** The lane of one agent: a bar for each task, or where there are too many, columns that count them. */

import { countOf } from '../shared/format.js';
import { html, nothing, repeat, svg } from '../shared/template.js';
import { NARROWEST_BAR_PIXELS, patterns, ROW_HEIGHT, taskBar } from './bars.js';
import { DENSITY_HEIGHT, density } from './density.js';
import { packLane } from './lane-layout.js';

/** A lane with more bars than one for so many pixels is drawn as a density. */
const PIXELS_A_BAR = 2;

/** @typedef {{ fromMs: number, toMs: number, completeSinceMs: number }} Span `completeSinceMs`: from when on all tasks are read */
/** @typedef {{ span: Span, width: number, onLookAt: (atMs: number) => void, onSelectType: (type: string) => void }} LaneFrame `width` in pixels */

/** @param {readonly unknown[]} tasks @param {number} width in pixels */
export const isDense = (tasks, width) => tasks.length > width / PIXELS_A_BAR;

/** @param {import('./tasks-by-agent.js').AgentTasks} of @param {number} index of the lane @param {LaneFrame} frame */
export function lane([agent, tasks], index, frame) {
  const { span, width } = frame;
  const { drawing, height, hidden } = isDense(tasks, width) ? columns(tasks, frame) : bars(tasks, index, frame);
  const unread = Math.min(1, (span.completeSinceMs - span.fromMs) / (span.toMs - span.fromMs));
  return html`
    <li class="lane">
      <div class="lane-label">
        <span class="name" title=${agent}>${agent}</span>
        <span class="lane-note">${hidden > 0 ? `+ ${hidden} more at the same time` : countOf(tasks.length, 'task')}</span>
      </div>
      <div class="lane-bars">
        <svg width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${describe(tasks)}>
          ${unread > 0 ? svg`<rect class="unread" width=${unread * width} height=${height}><title>Not read</title></rect>` : nothing}
          ${drawing}
        </svg>
      </div>
    </li>
  `;
}

/** @param {import('../state/store.js').Task[]} tasks @param {LaneFrame} frame */
function columns(tasks, { span, width, onLookAt }) {
  return { drawing: density(tasks, span, { width, onLookAt }), height: DENSITY_HEIGHT, hidden: 0 };
}

/** @param {import('../state/store.js').Task[]} tasks @param {number} index @param {LaneFrame} frame */
function bars(tasks, index, { span, width, onSelectType }) {
  const layout = packLane(tasks, { ...span, narrowest: NARROWEST_BAR_PIXELS / width });
  const patternId = `lane-${index}`;
  const drawing = svg`
    ${patterns(patternId)}
    ${repeat(
      layout.bars,
      ({ task }) => task.correlation_id,
      (bar) => taskBar(bar, { width, patternId, atMs: span.toMs, onSelectType }),
    )}
  `;
  return { drawing, height: layout.rows * ROW_HEIGHT + 3, hidden: layout.hidden };
}

/** @param {import('../state/store.js').Task[]} tasks */
function describe(tasks) {
  const failed = tasks.filter(({ outcome }) => outcome === 'error' || outcome === 'timeout').length;
  const running = tasks.filter(({ state }) => state === 'active').length;
  return `${countOf(tasks.length, 'task')}, ${running} running, ${failed} failed`;
}
