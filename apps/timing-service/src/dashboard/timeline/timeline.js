/** Who did what when: a lane per agent, a bar per task. */

import { nowMs } from '../shared/clock.js';
import { formatMoment } from '../shared/instant.js';
import { showMore } from '../shared/show-more.js';
import { html, nothing, render, repeat, svg } from '../shared/template.js';
import { marksBetween } from '../shared/time-marks.js';
import { RANGES, spanOf, WEEK } from '../state/view-state.js';
import { isDense, lane } from './lane.js';
import { cutText, densityText, emptyText } from './notes.js';
import { outcomeLegend } from './outcomes.js';
import { taskTable } from './task-table.js';
import { tasksByAgent } from './tasks-by-agent.js';
import { timeSpan } from './time-span.js';

const LANES_AT_FIRST = 10;
const NARROWEST_LANE_PIXELS = 120;
const PIXELS_A_MARK = 64;

/**
 * @typedef {object} Known
 * @property {import('../state/store.js').Store} store
 * @property {import('../state/view-state.js').ViewState} view
 * @property {import('../reading/past-tasks.js').PastTasks | null} past null: the span ends now, and the store has its tasks
 * @property {import('../reading/days-before.js').DaysBefore} before days of which the tasks are counted only
 */

export class Timeline {
  #section;
  #actions;
  #isWhole = false;
  /** Pixels of a lane, once one was drawn. */ #width = NARROWEST_LANE_PIXELS;
  /** @type {Known | null} what was drawn last */ #known = null;

  /** @param {HTMLElement} section @param {{ onSpan: (span: { range?: string, until?: string | null }) => void, onSelectType: (type: string) => void }} actions */
  constructor(section, actions) {
    this.#section = section;
    this.#actions = actions;
    new ResizeObserver(() => this.#draw()).observe(section);
  }

  /** @param {Known} known */
  render(known) {
    this.#known = known;
    this.#draw();
  }

  #draw() {
    if (this.#known === null) return;
    const { store, view, past, before } = this.#known;
    const { tasks, completeSinceMs, isReading, loaded } = past ?? { ...store, tasks: store.tasks.values() };
    const span = { ...spanOf(view, nowMs()), completeSinceMs };
    const busy = tasksByAgent({ agents: store.agents, tasks, before }, view.agent, span);
    const isCut = loaded && completeSinceMs > span.fromMs;
    render(
      html`
        ${this.#head(view, past === null ? null : span)} ${this.#lanes(busy, span, before)}
        ${busy.length === 0 ? html`<p class="empty">${emptyText(store, view, past)}</p>` : this.#foot(busy, span)}
        ${busy.some((of) => isDense(of, { before, width: this.#width })) ? densityText() : nothing}
        ${isCut ? cutText(completeSinceMs, { isReading, count: past?.tasks.length ?? store.tasks.size, isCounted: before.size > 0 }) : nothing}
        ${taskTable(
          busy.flatMap(([, own]) => own),
          span.toMs,
        )}
      `,
      this.#section,
    );
    this.#measure();
  }

  /** @param {Known['view']} view @param {{ fromMs: number, toMs: number } | null} pastSpan */
  #head(view, pastSpan) {
    return html`
      <div class="card-head">
        <h2 id="timeline-heading">Timeline</h2>
        ${pastSpan === null ? nothing : html`<p class="card-note">${formatMoment(pastSpan.fromMs)} to ${formatMoment(pastSpan.toMs)}</p>`}
        ${timeSpan(view, this.#actions.onSpan)}
      </div>
    `;
  }

  /** @param {import('./tasks-by-agent.js').AgentTasks[]} busy @param {import('./lane.js').Span} span @param {Known['before']} before */
  #lanes(busy, span, before) {
    const { onSelectType } = this.#actions;
    const onLookAt = (/** @type {number} */ atMs) => this.#lookAt(atMs);
    const frame = { span, before, width: this.#width, onLookAt, onSelectType };
    return html`
      <ul class="lanes" aria-label="Tasks of each agent">
        ${repeat(
          this.#isWhole ? busy : busy.slice(0, LANES_AT_FIRST),
          ([agent]) => agent,
          (of, index) => lane(of, index, frame),
        )}
      </ul>
    `;
  }

  /** @param {readonly unknown[]} busy @param {import('./lane.js').Span} span */
  #foot(busy, span) {
    const onToggle = () => {
      this.#isWhole = !this.#isWhole;
      this.#draw();
    };
    return html`
      ${axis(span, this.#width)}
      ${showMore({ count: busy.length, first: LANES_AT_FIRST, isWhole: this.#isWhole, onToggle, noun: ' agents' })}
      ${outcomeLegend()}
    `;
  }

  /** Shows the next shorter range around a time. @param {number} atMs */
  #lookAt(atMs) {
    const range = shorter(this.#known?.view.range ?? '');
    const untilMs = atMs + (RANGES[range]?.ms ?? 0) / 2;
    this.#actions.onSpan({ range, until: untilMs < nowMs() ? new Date(untilMs).toISOString() : null });
  }

  /** Bars are laid out in pixels, which are known once there is a lane. */
  #measure() {
    const drawn = this.#section.querySelector('.lane-bars')?.clientWidth;
    if (drawn === undefined || drawn === 0) return;
    const fitting = Math.max(NARROWEST_LANE_PIXELS, drawn);
    if (fitting === this.#width) return;
    this.#width = fitting;
    this.#draw();
  }
}

/** @param {{ fromMs: number, toMs: number }} span @param {number} width in pixels */
const axis = ({ fromMs, toMs }, width) => html`
  <svg class="lane-axis" aria-hidden="true">
    ${marksBetween(fromMs, toMs, width / PIXELS_A_MARK).map(({ share, text }) => svg`<text x=${`${(share * 100).toFixed(2)}%`} y="15">${text}</text>`)}
  </svg>
`;

const LENGTHS = Object.keys(RANGES).filter((range) => range !== WEEK);

/** The next shorter range; within a week, a day. @param {string} range */
const shorter = (range) => (range === WEEK ? '24h' : (LENGTHS[Math.max(0, LENGTHS.indexOf(range) - 1)] ?? range));
