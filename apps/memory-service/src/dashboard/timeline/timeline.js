/**
 * Who said when: a lane for each agent, from months to minutes. From far away columns of counts, from near each memory on its
 * session. The slider shows what was held true at a moment: what was superseded or had ended by then is faded.
 */

import { calendarDay } from '../shared/calendar-day.js';
import { countOf, formatCount } from '../shared/format.js';
import { formatMoment, instant } from '../shared/instant.js';
import { savePicture } from '../shared/save-picture.js';
import { showMore } from '../shared/show-more.js';
import { html, live, nothing, render, repeat, svg } from '../shared/template.js';
import { marksBetween } from '../shared/time-marks.js';
import { createVirtualList } from '../shared/virtual-list.js';
import { NO_FILTERS } from '../state/view-state.js';
import { countLane, pointLane } from './lane-drawings.js';
import { columnsOf, inLines, LEAST_SPAN_MS, zoomed } from './time-window.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SPANS = /** @type {const} */ ([
  ['Hour', HOUR_MS],
  ['Day', DAY_MS],
  ['Week', 7 * DAY_MS],
  ['Month', 30 * DAY_MS],
  ['Quarter', 91 * DAY_MS],
]);
/** A reader that moves the window asks for it when it rests. */
const REST_MS = 120;
const LANES_AT_FIRST = 20;
const SLIDER_STEPS = 1_000;
/** Share of the window that an arrow key moves. */
const STEP = 0.25;

/** @param {HTMLElement} section @param {import('../page.js').Page} page */
export function createTimeline(section, page) {
  const { state } = page;
  /** @type {any} */ let seen = null;
  /** The window that is shown; null before the first answer. @type {{ since: number, until: number } | null} */ let span =
    null;
  /** @type {number | null} what was held at; null: now */ let heldAt = null;
  let showsAllLanes = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ let rest;
  /** @type {{ x: number, since: number, until: number } | null} */ let drag = null;

  render(html`<div class="card"><div></div><div class="said-place"></div></div>`, section);
  const [picture, place] = /** @type {HTMLElement[]} */ ([...(section.firstElementChild?.children ?? [])]);
  const said = createVirtualList(/** @type {HTMLElement} */ (place), {
    className: 'related',
    item: saidItem,
  });

  async function load() {
    const api = page.api();
    const { since, until, as_of } = state.times;
    const asked = JSON.stringify(state.times);
    const most = innerWidth < 700 ? 45 : 120;
    const held = as_of && { as_of };
    const fitting = (/** @type {string} */ from, /** @type {string} */ to) =>
      columnsOf(Date.parse(to) - Date.parse(from), most);
    try {
      const isKnown = since !== '' && until !== '';
      const buckets = isKnown ? fitting(since, until) : most;
      let answer = await api.timeline({ ...(since && { since }), ...(until && { until }), ...held, buckets });
      const fits = fitting(answer.since, answer.until) === buckets;
      if (!isKnown && !fits && answer.points === null) {
        const { since: first, until: last } = answer;
        answer = await api.timeline({ since: first, until: last, ...held, buckets: fitting(first, last) });
      }
      if (api !== page.api() || asked !== JSON.stringify(state.times)) return;
      page.fine();
      seen = answer;
      span = { since: Date.parse(answer.since), until: Date.parse(answer.until) };
      heldAt = as_of === '' ? null : Date.parse(as_of);
      said.replace([...(answer.points ?? [])].reverse());
      draw();
    } catch (error) {
      if (api === page.api()) page.failed(error);
    }
  }

  /** @param {{ since: number, until: number }} to */
  function move(to) {
    span = to.until - to.since < LEAST_SPAN_MS ? zoomed(to, 1) : to;
    draw();
    settle();
  }

  /** Writes the window into the address when it rests, which asks for it. */
  function settle() {
    clearTimeout(rest);
    rest = setTimeout(() => {
      if (span === null) return;
      const times = {
        since: new Date(span.since).toISOString(),
        until: new Date(span.until).toISOString(),
        as_of: heldAt === null ? '' : new Date(heldAt).toISOString(),
      };
      page.go({ times }, { isStep: false });
    }, REST_MS);
  }

  function draw() {
    if (seen === null || span === null) return render(nothing, /** @type {HTMLElement} */ (picture));
    const all = lanesOf(seen);
    const lanes = showsAllLanes ? all : all.slice(0, LANES_AT_FIRST);
    const width = span.until - span.since;
    const isAll = state.times.since === '' && state.times.until === '';
    const isIn = (/** @type {number} */ wide) => !isAll && Math.abs(width - wide) < wide * 0.02;
    // The days of the window, where it is not all there is.
    const days = isAll ? {} : { from: calendarDay(span.since), to: calendarDay(span.until) };
    const most = innerWidth < 700 ? 4 : 10;
    const marks = marksBetween(span.since, span.until, most);
    const held = seen.lanes.reduce((/** @type {number} */ sum, /** @type {any} */ lane) => sum + total(lane.held), 0);
    const slider = heldAt === null ? SLIDER_STEPS : Math.round(((heldAt - span.since) / width) * SLIDER_STEPS);
    render(
      html`
        <div class="card-head">
          <h2>Timeline</h2>
          <p class="card-note num" role="status">
            ${countOf(seen.total, 'memory', 'memories')}, ${countOf(seen.sessions_total, 'session')}; ${formatCount(held)} hold ${heldAt === null ? 'now' : 'then'}
          </p>
        </div>
        <div class="timeline-controls">
          <div class="segmented" role="group" aria-label="Window">
            ${SPANS.map(([name, wide]) => html`<button type="button" aria-pressed=${isIn(wide)} @click=${() => show(wide)}>${name}</button>`)}
            <button type="button" aria-pressed=${isAll} @click=${showAll}>All</button>
          </div>
          <div class="segmented" role="group" aria-label="Move">
            <button type="button" aria-label="Earlier" @click=${() => shift(-STEP * 2)}>‹</button>
            <button type="button" aria-label="Closer" @click=${() => move(zoomed(/** @type {any} */ (span), 0.5))}>+</button>
            <button type="button" aria-label="Farther" @click=${() => move(zoomed(/** @type {any} */ (span), 2))}>−</button>
            <button type="button" aria-label="Later" @click=${() => shift(STEP * 2)}>›</button>
          </div>
          <p class="num muted">${formatMoment(span.since)} – ${formatMoment(span.until)}</p>
          <button type="button" class="button" @click=${() => void savePicture(/** @type {HTMLElement} */ (picture), 'timeline')}>Save picture</button>
        </div>
        <div class="as-of">
          <label for="as-of">What was held true</label>
          <input id="as-of" type="range" min="0" max=${SLIDER_STEPS} step="1" .value=${live(String(Math.min(SLIDER_STEPS, Math.max(0, slider))))}
            aria-valuetext=${heldAt === null ? 'now' : formatMoment(heldAt)} @input=${onSlide}>
          <output class="num" for="as-of">${heldAt === null ? 'now' : formatMoment(heldAt)}</output>
          <button type="button" class="button" ?disabled=${heldAt === null} @click=${() => holdAt(null)}>Now</button>
        </div>
        <div class="lanes" role="group" tabindex="0" aria-label="Lanes of agents. Arrow keys move, plus and minus zoom."
          @keydown=${onKey} @wheel=${onWheel} @pointerdown=${onGrab} @pointermove=${onDrag} @pointerup=${onDrop} @pointercancel=${onDrop}>
          ${repeat(
            lanes,
            ({ agent }) => agent,
            (lane, number) => html`
              <div class="lane">
                <p class="lane-name"><a class="name" href=${page.linkTo({ view: 'browse', filters: { ...NO_FILTERS, by: lane.agent, ...days } })}>${lane.agent}</a><span class="num muted">${formatCount(lane.count)}</span></p>
                ${seen.points === null ? countLane(lane, { number, top: topOf(all) }) : pointLane(lane, { number, span: /** @type {any} */ (span), heldAt, page, inLines })}
              </div>`,
          )}
          <svg class="lane-marks" aria-hidden="true">
            ${marks.map(({ share }) => line(share, 'mark-line'))}
            ${heldAt === null || heldAt < span.since || heldAt > span.until ? nothing : line((heldAt - span.since) / width, 'held-line')}
          </svg>
        </div>
        <ol class="time-marks num" aria-hidden="true">
          ${marks.map(({ text }) => html`<li>${text}</li>`)}
        </ol>
        ${showMore({ count: all.length, first: LANES_AT_FIRST, isWhole: showsAllLanes, onToggle: toggleLanes, noun: ' agents' })}
        ${seen.points === null ? html`<p class="card-foot">Each column counts what was said; the faded part no longer holds. Come closer, below 1,000 memories, to see each of them.</p>` : nothing}
        ${seen.points?.length === 0 ? html`<p class="empty">Nothing was said in this window that this agent may see.</p>` : nothing}
      `,
      /** @type {HTMLElement} */ (picture),
    );
    // Positions cannot stand in a style attribute, which the page's policy refuses.
    marks.forEach(({ share }, at) => {
      /** @type {HTMLElement | undefined} */ (picture?.querySelector('.time-marks')?.children[at])?.style.setProperty(
        'left',
        `${share * 100}%`,
      );
    });
  }

  function toggleLanes() {
    showsAllLanes = !showsAllLanes;
    draw();
  }

  /** @param {any} point */
  function saidItem(point) {
    const isLater = heldAt !== null && Date.parse(point.created_at) > heldAt;
    return html`<li data-past=${point.held || isLater ? nothing : 'yes'} data-later=${isLater ? 'yes' : nothing}>
      <a href=${page.linkTo({ memory: point.id })}>${point.gist}</a>
      <p class="origin"><span class="origin-agent">${point.agent_id}</span>${point.session_id === null ? nothing : html`<span>${point.session_id}</span>`}${instant(point.created_at)}</p>
    </li>`;
  }

  /** A window of this width around what was held at, else up to the end of what is shown. @param {number} wide */
  function show(wide) {
    if (span === null) return;
    const last = seen?.sessions[0] ? Date.parse(seen.sessions[0].last_at) + wide * 0.02 : span.until;
    const until = heldAt === null ? Math.min(span.until, Math.max(last, span.since + wide)) : heldAt + wide / 2;
    move({ since: until - wide, until });
  }
  function showAll() {
    page.go({ times: { since: '', until: '', as_of: state.times.as_of } });
  }
  /** @param {number} share */
  function shift(share) {
    if (span === null) return;
    const by = (span.until - span.since) * share;
    move({ since: span.since + by, until: span.until + by });
  }
  /** @param {number | null} at */
  function holdAt(at) {
    heldAt = at;
    draw();
    settle();
  }
  function onSlide(/** @type {Event} */ event) {
    if (span === null) return;
    const value = Number(/** @type {HTMLInputElement} */ (event.currentTarget).value);
    holdAt(value >= SLIDER_STEPS ? null : Math.round(span.since + ((span.until - span.since) * value) / SLIDER_STEPS));
  }
  function onKey(/** @type {KeyboardEvent} */ event) {
    if (span === null || event.target !== event.currentTarget) return;
    if (event.key === 'ArrowLeft') shift(-STEP);
    else if (event.key === 'ArrowRight') shift(STEP);
    else if (event.key === '+' || event.key === '=') move(zoomed(span, 0.5));
    else if (event.key === '-') move(zoomed(span, 2));
    else return;
    event.preventDefault();
  }
  /** The wheel alone scrolls the page. */
  function onWheel(/** @type {WheelEvent} */ event) {
    if (!event.ctrlKey || span === null) return;
    event.preventDefault();
    move(zoomed(span, event.deltaY < 0 ? 0.8 : 1.25, shareAt(event)));
  }
  function onGrab(/** @type {PointerEvent} */ event) {
    if (span === null || event.pointerType === 'touch' || /** @type {Element} */ (event.target).closest('a')) return;
    drag = { x: event.clientX, ...span };
  }
  function onDrag(/** @type {PointerEvent} */ event) {
    if (drag === null) return;
    const by = ((drag.x - event.clientX) / laneWidth(event)) * (drag.until - drag.since);
    move({ since: drag.since + by, until: drag.until + by });
  }
  function onDrop() {
    drag = null;
  }
  const laneBox = (/** @type {Event} */ event) =>
    /** @type {Element} */ (event.currentTarget).querySelector('.lane-marks')?.getBoundingClientRect() ??
    new DOMRect(0, 0, 1, 1);
  const laneWidth = (/** @type {Event} */ event) => Math.max(1, laneBox(event).width);
  const shareAt = (/** @type {MouseEvent} */ event) =>
    Math.min(1, Math.max(0, (event.clientX - laneBox(event).left) / laneWidth(event)));

  return {
    show: () => void load(),
    forget() {
      clearTimeout(rest);
      seen = null;
      span = null;
      said.replace([]);
      draw();
    },
    changed: () => void load(),
    memoryChanged: () => void load(),
  };
}

/** @param {number[]} counts */
const total = (counts) => counts.reduce((sum, count) => sum + count, 0);

/** @param {number} share @param {string} className */
const line = (share, className) =>
  svg`<line class=${className} x1=${`${share * 100}%`} x2=${`${share * 100}%`} y1="0" y2="100%"></line>`;

/**
 * By agent, the one that said most first.
 * @param {{ lanes: { agent_id: string, counts: number[], held: number[] }[], sessions: any[], points: any[] }} timeline
 */
function lanesOf({ lanes, sessions, points }) {
  /** @type {Map<string, import('./lane-drawings.js').Lane>} */
  const known = new Map();
  for (const { agent_id: agent, counts, held } of lanes) {
    const lane = known.get(agent) ?? {
      agent,
      counts: counts.map(() => 0),
      held: counts.map(() => 0),
      count: 0,
      sessions: [],
      points: [],
    };
    known.set(agent, {
      ...lane,
      counts: lane.counts.map((one, at) => one + (counts[at] ?? 0)),
      held: lane.held.map((one, at) => one + (held[at] ?? 0)),
      count: lane.count + total(counts),
    });
  }
  for (const session of sessions) known.get(session.agent_id)?.sessions.push(session);
  for (const point of points ?? []) known.get(point.agent_id)?.points.push(point);
  return [...known.values()].sort((a, b) => b.count - a.count);
}

/** @param {import('./lane-drawings.js').Lane[]} lanes */
const topOf = (lanes) => Math.max(1, ...lanes.flatMap(({ counts }) => counts));
