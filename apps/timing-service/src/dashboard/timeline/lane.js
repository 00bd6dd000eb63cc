/** The lane of one agent: a bar for each task, or where there are too many, columns that count them. */

import { countOf } from '../shared/format.js';
import { html, nothing, repeat, svg } from '../shared/template.js';
import { NARROWEST_BAR_PIXELS, patterns, ROW_HEIGHT, taskBar } from './bars.js';
import { DENSITY_HEIGHT, density } from './density.js';
import { packLane } from './lane-layout.js';

/** A lane with more bars than one for so many pixels is drawn as a density. */
const PIXELS_A_BAR = 2;

/** @typedef {{ fromMs: number, toMs: number, completeSinceMs: number }} Span `completeSinceMs`: from when on all tasks are read */
/** @typedef {import('../reading/days-before.js').DayCount} DayCount */
/** @typedef {{ span: Span, before: import('../reading/days-before.js').DaysBefore, width: number, onLookAt: (atMs: number) => void, onSelectType: (type: string) => void }} LaneFrame `before`: days of which the tasks are counted only; `width` in pixels */

/** @param {import('./tasks-by-agent.js').AgentTasks} of @param {Pick<LaneFrame, 'before' | 'width'>} frame */
export const isDense = ([agent, tasks], { before, width }) => tasks.length > width / PIXELS_A_BAR || before.has(agent);

/** @param {import('./tasks-by-agent.js').AgentTasks} of @param {number} index of the lane @param {LaneFrame} frame */
export function lane([agent, tasks], index, frame) {
  const { span, width } = frame;
  const days = frame.before.get(agent) ?? [];
  const { drawing, height, hidden } = isDense([agent, tasks], frame)
    ? columns(tasks, days, frame)
    : bars(tasks, index, frame);
  const count = days.reduce((sum, { all }) => sum + all, tasks.length);
  const unread = Math.min(1, (span.completeSinceMs - span.fromMs) / (span.toMs - span.fromMs));
  return html`
    <li class="lane">
      <div class="lane-label">
        <span class="name" dir="auto" title=${agent}>${agent}</span>
        <span class="lane-note">${hidden > 0 ? `+ ${hidden} more at the same time` : countOf(count, 'task')}</span>
      </div>
      <div class="lane-bars">
        <svg width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${describe(tasks, days)}>
          ${unread > 0 && frame.before.size === 0 ? svg`<rect class="unread" width=${unread * width} height=${height}><title>Not read</title></rect>` : nothing}
          ${drawing}
        </svg>
      </div>
    </li>
  `;
}

/** @param {import('../state/store.js').Task[]} tasks @param {readonly DayCount[]} days @param {LaneFrame} frame */
function columns(tasks, days, { span, width, onLookAt }) {
  return { drawing: density(tasks, days, { span, width, onLookAt }), height: DENSITY_HEIGHT, hidden: 0 };
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

/** @param {import('../state/store.js').Task[]} tasks @param {readonly DayCount[]} days */
function describe(tasks, days) {
  const isFailed = (/** @type {import('../state/store.js').Task} */ { outcome }) =>
    outcome === 'error' || outcome === 'timeout';
  const failed = days.reduce((sum, day) => sum + day.failed, tasks.filter(isFailed).length);
  const all = days.reduce((sum, day) => sum + day.all, tasks.length);
  const running = tasks.filter(({ state }) => state === 'active').length;
  return `${countOf(all, 'task')}, ${running} running, ${failed} failed`;
}
