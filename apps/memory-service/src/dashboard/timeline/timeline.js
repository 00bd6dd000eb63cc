/**
 * Who said when: a lane for each agent, from months to minutes. From far away columns of counts, from near each memory on its
 * session. The slider shows what was held true at a moment: what was superseded or had ended by then is faded.
 */

import { instant } from '../shared/instant.js';
import { savePicture } from '../shared/save-picture.js';
import { showMore } from '../shared/show-more.js';
import { html, nothing, render } from '../shared/template.js';
import { marksBetween } from '../shared/time-marks.js';
import { createVirtualList } from '../shared/virtual-list.js';
import { Gestures } from './gestures.js';
import { readTimeline } from './read-timeline.js';
import { LEAST_SPAN_MS, windowOf, zoomed } from './time-window.js';
import { timelinePicture } from './timeline-picture.js';

/** A reader that moves the window asks for it when it rests. */
const REST_MS = 120;
/** Below this width, in pixels, there is room for fewer columns and marks. */
const NARROW_PX = 700;
/** Of what was said in the window; all of it may be a thousand memories. */
const SAID_AT_FIRST = 25;

/** @typedef {import('./time-window.js').Window} Window */

export class Timeline {
  #page;
  /** Where the lanes are drawn. @type {HTMLElement} */
  #picture;
  /** Below them, what was said, where it is not too much. */
  #said;
  /** The answer of the service. @type {import('../reading/api.js').Answer<'getTimeline'> | null} */
  #seen = null;
  /** The window that is shown; null before the first answer. @type {Window | null} */
  #span = null;
  /** What was held at; null: now. @type {number | null} */
  #heldAt = null;
  #showsAllLanes = false;
  #showsAllSaid = false;
  /** Below what was said. @type {HTMLElement} */
  #foot;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #rest;
  #gestures = new Gestures(
    () => this.#span,
    (to) => this.#move(to),
  );

  /** @type {import('./timeline-picture.js').Actions} */
  #actions = {
    show: (width) => this.#show(width),
    showAll: () => this.#showAll(),
    move: (to) => this.#move(to),
    hold: (at) => this.#hold(at),
    toggleLanes: () => this.#toggleLanes(),
    save: () => void savePicture(this.#picture, 'timeline'),
  };

  /** @param {HTMLElement} section @param {import('../page.js').Page} page */
  constructor(section, page) {
    this.#page = page;
    render(html`<div class="card"><div></div><div class="said-place"></div><div></div></div>`, section);
    const [picture, place, foot] = /** @type {[HTMLElement, HTMLElement, HTMLElement]} */ ([
      ...(section.firstElementChild?.children ?? []),
    ]);
    this.#picture = picture;
    this.#foot = foot;
    this.#said = createVirtualList(place, { className: 'related', item: (point) => this.#saidItem(point) });
  }

  show() {
    void this.#load();
  }

  forget() {
    clearTimeout(this.#rest);
    this.#seen = null;
    this.#span = null;
    this.#showsAllSaid = false;
    this.#drawSaid();
    this.#draw();
  }

  changed() {
    void this.#load();
  }

  memoryChanged() {
    void this.#load();
  }

  // What is known.

  async #load() {
    const { times } = this.#page.state;
    const most = innerWidth < NARROW_PX ? 45 : 120;
    const answer = await this.#page.ask((api) => readTimeline(api, times, most), { latestOf: this });
    if (!answer) return;
    this.#seen = answer;
    this.#span = { since: Date.parse(answer.since), until: Date.parse(answer.until) };
    this.#heldAt = times.as_of === '' ? null : Date.parse(times.as_of);
    this.#drawSaid();
    this.#draw();
  }

  // What can be done.

  /** @param {Window} to */
  #move(to) {
    this.#span = to.until - to.since < LEAST_SPAN_MS ? zoomed(to, 1) : to;
    this.#draw();
    this.#settle();
  }

  /** @param {number} width */
  #show(width) {
    if (this.#span === null || this.#seen === null) return;
    const [last] = this.#seen.sessions;
    const lastAt = last ? Date.parse(last.last_at) : null;
    this.#move(windowOf(width, { span: this.#span, heldAt: this.#heldAt, lastAt }));
  }

  #showAll() {
    this.#page.go({ times: { since: '', until: '', as_of: this.#page.state.times.as_of } });
  }

  /** @param {number | null} at */
  #hold(at) {
    this.#heldAt = at;
    this.#draw();
    this.#settle();
  }

  /** Writes the window into the address when it rests, which asks for it. */
  #settle() {
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      if (this.#span === null) return;
      const times = {
        since: new Date(this.#span.since).toISOString(),
        until: new Date(this.#span.until).toISOString(),
        as_of: this.#heldAt === null ? '' : new Date(this.#heldAt).toISOString(),
      };
      this.#page.go({ times }, { isStep: false });
    }, REST_MS);
  }

  #toggleLanes() {
    this.#showsAllLanes = !this.#showsAllLanes;
    this.#draw();
  }

  #toggleSaid() {
    this.#showsAllSaid = !this.#showsAllSaid;
    this.#drawSaid();
  }

  // What is drawn.

  /** The newest first. */
  #drawSaid() {
    const said = [...(this.#seen?.points ?? [])].reverse();
    this.#said.replace(this.#showsAllSaid ? said : said.slice(0, SAID_AT_FIRST));
    const more = {
      count: said.length,
      first: SAID_AT_FIRST,
      isWhole: this.#showsAllSaid,
      onToggle: () => this.#toggleSaid(),
      noun: ' memories',
    };
    render(showMore(more), this.#foot);
  }

  #draw() {
    const [span, seen] = [this.#span, this.#seen];
    if (span === null || seen === null) return render(nothing, this.#picture);
    const { since, until } = this.#page.state.times;
    const marks = marksBetween(span.since, span.until, innerWidth < NARROW_PX ? 4 : 10);
    const picture = timelinePicture({
      seen,
      span,
      isAll: since === '' && until === '',
      heldAt: this.#heldAt,
      showsAllLanes: this.#showsAllLanes,
      marks,
      page: this.#page,
      gestures: this.#gestures,
      on: this.#actions,
    });
    render(picture, this.#picture);
    this.#placeMarks(marks);
  }

  /** Positions cannot stand in a style attribute, which the page's policy refuses. @param {{ share: number }[]} marks */
  #placeMarks(marks) {
    const axis = this.#picture.querySelector('.time-marks');
    const drawn = /** @type {HTMLElement[]} */ ([...(axis?.children ?? [])]);
    for (const [at, mark] of drawn.entries()) mark.style.setProperty('left', `${(marks[at]?.share ?? 0) * 100}%`);
    const width = axis?.clientWidth ?? 0;
    // Half a date is none.
    const fits = drawn.map((mark) => mark.offsetLeft + mark.offsetWidth <= width);
    for (const [at, mark] of drawn.entries()) mark.style.setProperty('visibility', fits[at] ? 'visible' : 'hidden');
  }

  /** @param {NonNullable<import('../reading/api.js').Answer<'getTimeline'>['points']>[number]} point */
  #saidItem({ id, gist, agent_id: agent, session_id: session, created_at: at, held }) {
    const isLater = this.#heldAt !== null && Date.parse(at) > this.#heldAt;
    return html`<li data-past=${held || isLater ? nothing : 'yes'} data-later=${isLater ? 'yes' : nothing}>
      <a href=${this.#page.linkTo({ memory: id })}>${gist}</a>
      <p class="origin"><span class="origin-agent"><bdi>${agent}</bdi></span>${session === null ? nothing : html`<span><bdi>${session}</bdi></span>`}${instant(at)}</p>
    </li>`;
  }
}
