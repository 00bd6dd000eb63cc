/** What the timeline draws: its controls, the slider of what was held true, and the lanes with their marks. */

import { calendarDay } from '../shared/calendar-day.js';
import { countOf, formatCount } from '../shared/format.js';
import { formatMoment } from '../shared/instant.js';
import { showMore } from '../shared/show-more.js';
import { html, live, nothing, repeat, svg } from '../shared/template.js';
import { NO_FILTERS } from '../state/view-state.js';
import { STEP } from './gestures.js';
import { countLane, pointLane } from './lane-drawings.js';
import { heldCount, lanesOf, topOf } from './lanes.js';
import { shifted, zoomed } from './time-window.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** @type {[string, number][]} */
const SPANS = [
  ['Hour', HOUR_MS],
  ['Day', DAY_MS],
  ['Week', 7 * DAY_MS],
  ['Month', 30 * DAY_MS],
  ['Quarter', 91 * DAY_MS],
];
const LANES_AT_FIRST = 20;
const SLIDER_STEPS = 1_000;

/**
 * @typedef {object} Picture what is drawn
 * @property {import('../reading/api.js').Answer<'getTimeline'>} seen the answer of the service
 * @property {import('./time-window.js').Window} span
 * @property {boolean} isAll the window is as wide as there is something
 * @property {number | null} heldAt what was held at; null: now
 * @property {boolean} showsAllLanes
 * @property {{ share: number, text: string }[]} marks
 * @property {import('../page.js').Page} page
 * @property {import('./gestures.js').Gestures} gestures
 * @property {Actions} on
 */
/**
 * @typedef {object} Actions what the reader can do
 * @property {(width: number) => void} show a window of this width
 * @property {() => void} showAll
 * @property {(to: import('./time-window.js').Window) => void} move
 * @property {(at: number | null) => void} hold
 * @property {() => void} toggleLanes
 * @property {() => void} save as a picture
 */

/** @param {Picture} picture */
export function timelinePicture(picture) {
  const { seen, heldAt, showsAllLanes, marks, on } = picture;
  const lanes = lanesOf(seen);
  return html`
    <div class="card-head">
      <h2>Timeline</h2>
      <p class="card-note num" role="status">
        ${countOf(seen.total, 'memory', 'memories')}, ${countOf(seen.sessions_total, 'session')}; ${formatCount(heldCount(seen))} hold ${heldAt === null ? 'now' : 'then'}
      </p>
    </div>
    ${controls(picture)} ${heldSlider(picture)} ${laneGroup(lanes, picture)}
    <ol class="time-marks num" aria-hidden="true">
      ${marks.map(({ text }) => html`<li>${text}</li>`)}
    </ol>
    ${showMore({ count: lanes.length, first: LANES_AT_FIRST, isWhole: showsAllLanes, onToggle: on.toggleLanes, noun: ' agents' })}
    ${seen.points === null ? html`<p class="card-foot">Each column counts what was said; the faded part no longer holds. Come closer, below 1,000 memories, to see each of them.</p>` : nothing}
    ${seen.points?.length === 0 ? html`<p class="empty">Nothing was said in this window that this agent may see.</p>` : nothing}
  `;
}

/** @param {Picture} picture */
function controls({ span, isAll, on }) {
  const width = span.until - span.since;
  const isShown = (/** @type {number} */ wide) => !isAll && Math.abs(width - wide) < wide * 0.02;
  return html`
    <div class="timeline-controls">
      <div class="segmented" role="group" aria-label="Window">
        ${SPANS.map(([name, wide]) => html`<button type="button" aria-pressed=${isShown(wide)} @click=${() => on.show(wide)}>${name}</button>`)}
        <button type="button" aria-pressed=${isAll} @click=${on.showAll}>All</button>
      </div>
      <div class="segmented" role="group" aria-label="Move">
        <button type="button" aria-label="Earlier" @click=${() => on.move(shifted(span, -STEP * 2))}>‹</button>
        <button type="button" aria-label="Closer" @click=${() => on.move(zoomed(span, 0.5))}>+</button>
        <button type="button" aria-label="Farther" @click=${() => on.move(zoomed(span, 2))}>−</button>
        <button type="button" aria-label="Later" @click=${() => on.move(shifted(span, STEP * 2))}>›</button>
      </div>
      <p class="num muted">${formatMoment(span.since)} – ${formatMoment(span.until)}</p>
      <button type="button" class="button" @click=${on.save}>Save picture</button>
    </div>
  `;
}

/** @param {Picture} picture */
function heldSlider({ span, heldAt, on }) {
  const width = span.until - span.since;
  const step = heldAt === null ? SLIDER_STEPS : Math.round(((heldAt - span.since) / width) * SLIDER_STEPS);
  const text = heldAt === null ? 'now' : formatMoment(heldAt);
  const onSlide = (/** @type {Event} */ event) => {
    const value = Number(/** @type {HTMLInputElement} */ (event.currentTarget).value);
    on.hold(value >= SLIDER_STEPS ? null : Math.round(span.since + (width * value) / SLIDER_STEPS));
  };
  return html`
    <div class="as-of">
      <label for="as-of">What was held true</label>
      <input id="as-of" type="range" min="0" max=${SLIDER_STEPS} step="1" .value=${live(String(Math.min(SLIDER_STEPS, Math.max(0, step))))}
        aria-valuetext=${text} @input=${onSlide}>
      <output class="num" for="as-of">${text}</output>
      <button type="button" class="button" aria-disabled=${heldAt === null} @click=${() => on.hold(null)}>Now</button>
    </div>
  `;
}

/** @param {import('./lanes.js').Lane[]} lanes @param {Picture} picture */
function laneGroup(lanes, picture) {
  const { span, heldAt, showsAllLanes, marks, gestures } = picture;
  const held = heldAt === null ? null : (heldAt - span.since) / (span.until - span.since);
  const top = topOf(lanes);
  const onDrop = () => gestures.onDrop();
  return html`
    <div class="lanes" role="group" tabindex="0" aria-label="Lanes of agents. Arrow keys move, plus and minus zoom."
      @keydown=${(/** @type {KeyboardEvent} */ event) => gestures.onKey(event)}
      @wheel=${(/** @type {WheelEvent} */ event) => gestures.onWheel(event)}
      @pointerdown=${(/** @type {PointerEvent} */ event) => gestures.onGrab(event)}
      @pointermove=${(/** @type {PointerEvent} */ event) => gestures.onDrag(event)}
      @pointerup=${onDrop} @pointercancel=${onDrop}>
      ${repeat(
        showsAllLanes ? lanes : lanes.slice(0, LANES_AT_FIRST),
        ({ agent }) => agent,
        (lane, number) => laneRow(lane, { number, top }, picture),
      )}
      <svg class="lane-marks" aria-hidden="true">
        ${marks.map(({ share }) => line(share, 'mark-line'))}
        ${held === null || held < 0 || held > 1 ? nothing : line(held, 'held-line')}
      </svg>
    </div>
  `;
}

/** @param {import('./lanes.js').Lane} lane @param {{ number: number, top: number }} place @param {Picture} picture */
function laneRow(lane, { number, top }, { seen, span, isAll, heldAt, page }) {
  // The days of the window, where it is not all there is.
  const days = isAll ? {} : { from: calendarDay(span.since), to: calendarDay(span.until) };
  const said = page.linkTo({ view: 'browse', filters: { ...NO_FILTERS, by: lane.agent, ...days } });
  const drawing =
    seen.points === null ? countLane(lane, { number, top }) : pointLane(lane, { number, span, heldAt, page });
  return html`
    <div class="lane">
      <p class="lane-name"><a class="name" dir="auto" title=${lane.agent} href=${said}>${lane.agent}</a><span class="num muted">${formatCount(lane.count)}</span></p>
      ${drawing}
    </div>`;
}

/** @param {number} share @param {string} className */
const line = (share, className) =>
  svg`<line class=${className} x1=${`${share * 100}%`} x2=${`${share * 100}%`} y1="0" y2="100%"></line>`;
