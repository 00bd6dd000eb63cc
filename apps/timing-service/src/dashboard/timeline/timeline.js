/** Who did what when: a lane per agent, a bar per task. */

import { TASKS_A_PAGE } from '../reading/api.js';
import { MOST_PAGES } from '../reading/task-pages.js';
import { alternative } from '../shared/alternative.js';
import { countOf, formatClock, formatDuration, formatElapsed } from '../shared/format.js';
import { formatMoment } from '../shared/instant.js';
import { showMore } from '../shared/show-more.js';
import { html, nothing, render, repeat, svg } from '../shared/template.js';
import { marksBetween } from '../shared/time-marks.js';
import { nowMs } from '../state/clock.js';
import { ALL_AGENTS, RANGES, spanOf } from '../state/view-state.js';
import { NARROWEST_BAR_PIXELS, OUTCOMES, outcomeOf, patterns, ROW_HEIGHT, taskBar } from './bars.js';
import { DENSITY_HEIGHT, density } from './density.js';
import { packLane } from './lane-layout.js';
import { timeSpan } from './time-span.js';

const LANES_AT_FIRST = 10;
/** A lane with more bars than one for so many pixels is drawn as a density. */
const PIXELS_A_BAR = 2;
const NARROWEST_LANE_PIXELS = 120;
const PIXELS_A_MARK = 64;
const TABLE_ROWS = 50;

const legend = () => html`
  <ul class="outcome-legend" aria-label="Outcomes">
    ${Object.entries(OUTCOMES).map(
      ([outcome, { letter, word }]) =>
        html`<li><i class="outcome-key" data-outcome=${outcome} aria-hidden="true">${letter}</i> ${word}</li>`,
    )}
  </ul>
`;

/** @param {{ fromMs: number, toMs: number }} span @param {number} width in pixels */
const axis = ({ fromMs, toMs }, width) => html`
  <svg class="lane-axis" aria-hidden="true">
    ${marksBetween(fromMs, toMs, width / PIXELS_A_MARK).map(({ share, text }) => svg`<text x=${`${(share * 100).toFixed(2)}%`} y="15">${text}</text>`)}
  </svg>
`;

/** @param {import('../state/store.js').Task[]} tasks @param {number} atMs */
function tableOf(tasks, atMs) {
  return alternative({
    summary: 'Timeline as a table',
    caption: `Newest ${TABLE_ROWS} tasks of the time range`,
    columns: ['Started', 'Agent', 'Task type', 'Outcome', 'Took'],
    words: [1, 2, 3],
    rows: () =>
      tasks
        .toSorted((a, b) => (a.started_at < b.started_at ? 1 : -1))
        .slice(0, TABLE_ROWS)
        .map((task) => [
          formatClock(Date.parse(task.started_at)),
          task.agent_id,
          task.task_type,
          OUTCOMES[outcomeOf(task)].word,
          task.state === 'active'
            ? formatElapsed((atMs - Date.parse(task.started_at)) / 1000)
            : formatDuration(task.duration_seconds),
        ]),
  });
}

/**
 * The agents with their tasks within a span; agents without any are left out.
 * @param {{ agents: readonly string[], tasks: Iterable<import('../state/store.js').Task> }} known @param {string} agent @param {{ fromMs: number, toMs: number }} span
 */
function tasksByAgent({ agents, tasks }, agent, { fromMs, toMs }) {
  /** @type {Map<string, import('../state/store.js').Task[]>} */
  const byAgent = new Map();
  for (const name of agent === ALL_AGENTS ? agents : [agent]) byAgent.set(name, []);
  for (const task of tasks) {
    if (task.ended_at !== null && Date.parse(task.ended_at) < fromMs) continue;
    if (Date.parse(task.started_at) > toMs) continue;
    const own = byAgent.get(task.agent_id);
    if (own) own.push(task);
    else byAgent.set(task.agent_id, [task]);
  }
  return [...byAgent].filter(([, tasks]) => tasks.length > 0);
}

/** @param {import('../state/store.js').Store} store @param {import('../state/view-state.js').ViewState} view @param {import('../reading/past-tasks.js').PastTasks | null} past */
function emptyText(store, { range }, past) {
  if (past === null) return store.loaded ? `No task in the last ${RANGES[range]?.label}.` : '';
  if (!past.loaded) return 'Reading …';
  return past.problem === '' ? 'No task in this time.' : past.problem;
}

/** @param {number} completeSinceMs @param {{ isReading: boolean, count: number }} reading how many are read */
function cutText(completeSinceMs, { isReading, count }) {
  const before = `what began before ${formatMoment(completeSinceMs)}`;
  const isFull = count >= (MOST_PAGES - 1) * TASKS_A_PAGE;
  const reason = isFull ? `of a range the newest ${MOST_PAGES},000 tasks are read` : 'it could not be read';
  return html`<p class="card-foot">${isReading ? `Reading ${before} …` : `Not shown is ${before}: ${reason}.`}</p>`;
}

/** The next shorter range. @param {string} range */
const shorter = (range) => Object.keys(RANGES)[Math.max(0, Object.keys(RANGES).indexOf(range) - 1)] ?? range;

/** @param {HTMLElement} section @param {{ onSpan: (span: { range?: string, until?: string | null }) => void, onSelectType: (type: string) => void }} actions */
export function createTimeline(section, { onSpan, onSelectType }) {
  let isWhole = false;
  /** Pixels of a lane, once one was drawn. */ let width = NARROWEST_LANE_PIXELS;
  /** @type {(() => void) | undefined} */ let again;
  new ResizeObserver(() => again?.()).observe(section);

  /** @param {[agent: string, tasks: import('../state/store.js').Task[]]} of @param {number} index @param {{ fromMs: number, toMs: number, completeSinceMs: number }} span @param {(atMs: number) => void} onLookAt */
  function lane([agent, tasks], index, span, onLookAt) {
    const isDense = tasks.length > width / PIXELS_A_BAR;
    const { bars, rows, hidden } = isDense
      ? { bars: [], rows: 1, hidden: 0 }
      : packLane(tasks, { ...span, narrowest: NARROWEST_BAR_PIXELS / width });
    const height = isDense ? DENSITY_HEIGHT : rows * ROW_HEIGHT + 3;
    const patternId = `lane-${index}`;
    const failed = tasks.filter(({ outcome }) => outcome === 'error' || outcome === 'timeout').length;
    const unread = Math.min(1, (span.completeSinceMs - span.fromMs) / (span.toMs - span.fromMs));
    const running = tasks.filter(({ state }) => state === 'active').length;
    const label = `${countOf(tasks.length, 'task')}, ${running} running, ${failed} failed`;
    return html`
      <li class="lane">
        <div class="lane-label">
          <span class="name" title=${agent}>${agent}</span>
          <span class="lane-note">${hidden > 0 ? `+ ${hidden} more at the same time` : countOf(tasks.length, 'task')}</span>
        </div>
        <div class="lane-bars">
          <svg width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${label}>
            ${patterns(patternId)}
            ${unread > 0 ? svg`<rect class="unread" width=${unread * width} height=${height}><title>Not read</title></rect>` : nothing}
            ${isDense ? density(tasks, span, { width, onLookAt }) : nothing}
            ${repeat(
              bars,
              ({ task }) => task.correlation_id,
              (bar) => taskBar(bar, { width, patternId, atMs: span.toMs, onSelectType }),
            )}
          </svg>
        </div>
      </li>
    `;
  }

  /**
   * @param {import('../state/store.js').Store} store @param {import('../state/view-state.js').ViewState} view
   * @param {import('../reading/past-tasks.js').PastTasks | null} past null: the span ends now, and the store has its tasks
   */
  function draw(store, view, past) {
    again = () => draw(store, view, past);
    const { tasks, completeSinceMs, isReading, loaded } = past ?? { ...store, tasks: store.tasks.values() };
    const span = { ...spanOf(view, nowMs()), completeSinceMs };
    const busy = tasksByAgent({ agents: store.agents, tasks }, view.agent, span);
    const onLookAt = (/** @type {number} */ atMs) => {
      const range = shorter(view.range);
      const untilMs = atMs + (RANGES[range]?.ms ?? 0) / 2;
      onSpan({ range, until: untilMs < nowMs() ? new Date(untilMs).toISOString() : null });
    };
    const isDense = busy.some(([, own]) => own.length > width / PIXELS_A_BAR);
    const toggle = () => {
      isWhole = !isWhole;
      draw(store, view, past);
    };
    render(
      html`
        <div class="card-head">
          <h2 id="timeline-heading">Timeline</h2>
          ${past === null ? nothing : html`<p class="card-note">${formatMoment(span.fromMs)} to ${formatMoment(span.toMs)}</p>`}
          ${timeSpan(view, onSpan)}
        </div>
        <ul class="lanes" aria-label="Tasks of each agent">
          ${repeat(
            isWhole ? busy : busy.slice(0, LANES_AT_FIRST),
            ([agent]) => agent,
            (of, index) => lane(of, index, span, onLookAt),
          )}
        </ul>
        ${
          busy.length === 0
            ? html`<p class="empty">${emptyText(store, view, past)}</p>`
            : html`${axis(span, width)}
              ${showMore({ count: busy.length, first: LANES_AT_FIRST, isWhole, onToggle: toggle, noun: ' agents' })}
              ${legend()}`
        }
        ${isDense ? html`<p class="card-foot">Where a lane is too full for a bar each, a column counts the tasks that started in its time, the failed ones below. Click a column to come closer.</p>` : nothing}
        ${loaded && span.completeSinceMs > span.fromMs ? cutText(span.completeSinceMs, { isReading, count: past?.tasks.length ?? store.tasks.size }) : nothing}
        ${tableOf(
          busy.flatMap(([, tasks]) => tasks),
          span.toMs,
        )}
      `,
      section,
    );
    measure();
  }

  /** Bars are laid out in pixels, which are known once there is a lane. */
  function measure() {
    const drawn = section.querySelector('.lane-bars')?.clientWidth;
    if (drawn === undefined || drawn === 0) return;
    const fitting = Math.max(NARROWEST_LANE_PIXELS, drawn);
    if (fitting === width) return;
    width = fitting;
    again?.();
  }

  return { render: draw };
}
