/** What the views share: the state in the address, the API in the name of who looks, and what is said above them all. */

import { Banner } from './header/banner.js';
import { Reader } from './header/reader.js';
import { bringViewIn, drawViewLinks, titleOf } from './header/view-links.js';
import { Api } from './reading/api.js';
import { AwayWatch, saysGone } from './reading/away.js';
import { Live, touchesContradictions } from './reading/live.js';
import { byId, setText } from './shared/dom.js';
import { addressOf, readAddress, writeAddress } from './state/address.js';
import { VIEWS } from './state/view-state.js';

/** @typedef {import('./state/view-state.js').ViewState} ViewState */
/** @typedef {import('./state/view-state.js').View} ViewName */
/**
 * @typedef {object} View a part of the page with a link in its head
 * @property {() => void} show draws the state in the address; what already shows it asks for nothing
 * @property {() => void} forget drops what was read, in the name of another agent or in another project
 * @property {(kinds: Set<string>) => void} [changed] the stream of changes told something
 * @property {(id: string, memory: import('./reading/api.js').Memory | null) => void} [memoryChanged] the open memory was changed, or deleted (null)
 */
/** @typedef {Record<ViewName, View>} Views */
/** @typedef {{ show(memory: string | null): void, forget(): void, changed(): void }} Detail */

/** How often the banner counts on while the service is away. */
const TICK_MS = 1_000;

export class Page {
  state = readAddress();
  #requests = new AbortController();
  #api = new Api(this.state, this.#requests.signal);
  /** How many contradictions wait for somebody; null before it is known. @type {number | null} */
  #openCount = null;
  /** By what asks, its latest question. @type {WeakMap<object, symbol>} */
  #latest = new WeakMap();
  #banner = new Banner(byId('banner'));
  #reader = new Reader((chosen) => this.#choose(chosen));
  #away = new AwayWatch({ ask: () => this.#api.health(), onChange: (isBack) => this.#onAway(isBack) });
  #live = new Live({
    onChange: (kinds) => this.#onChange(kinds),
    onBroken: () => this.#away.suspected(),
    onState: (isOpen) => this.#onStream(isOpen),
  });
  /** @type {Views} */ #views;
  /** @type {Detail} */ #detail;

  /** @param {(page: Page) => { views: Views, detail: Detail }} furnish makes the parts of this page */
  constructor(furnish) {
    const { views, detail } = furnish(this);
    this.#views = views;
    this.#detail = detail;
  }

  /** Shows what the address says, and follows what changes. */
  start() {
    setInterval(() => {
      if (this.#away.now !== null && !document.hidden) this.#drawBanner();
    }, TICK_MS);
    this.#show();
    this.#follow();
  }

  /** Goes where the address leads, after the browser's buttons or a link. */
  followAddress() {
    const { agent, project } = this.state;
    Object.assign(this.state, readAddress());
    if (this.state.agent === agent && this.state.project === project) this.#show();
    else this.#lookAnew();
  }

  // For the views.

  /** That of another reader is another object, and answers to the one before are of no use. */
  api() {
    return this.#api;
  }

  /**
   * Asks the service, and says what was not possible.
   * @template T @param {(api: Api) => Promise<T>} question
   * @param {{ latestOf?: object }} [how] of all questions of that object only the answer to the latest counts
   * @returns {Promise<T | null | undefined>} null where it failed; undefined where it counts no more, as for another reader
   */
  async ask(question, { latestOf = {} } = {}) {
    const api = this.#api;
    const mine = Symbol('question');
    this.#latest.set(latestOf, mine);
    const counts = () => api === this.#api && this.#latest.get(latestOf) === mine;
    try {
      const answer = await question(api);
      if (!counts()) return undefined;
      this.#fine();
      return answer;
    } catch (error) {
      if (!counts()) return undefined;
      this.#failed(error);
      return null;
    }
  }

  /** Shows why something could not be done, until something else is. @param {unknown} error */
  refused(error) {
    this.#banner.refusal = error;
    if (saysGone(error)) this.#away.suspected();
    this.#drawBanner();
  }

  /** Announces what was done to screen readers. @param {string} text */
  say(text) {
    setText(byId('announcer'), text);
    this.#banner.refusal = null;
    this.#drawBanner();
  }

  /** @param {Partial<ViewState>} change @param {{ isStep?: boolean }} [how] */
  go(change, how) {
    Object.assign(this.state, change);
    writeAddress(this.state, how);
    this.#show();
  }

  /** @param {Partial<ViewState>} change */
  linkTo(change) {
    return addressOf({ ...this.state, ...change });
  }

  /** Puts their number into the title and the links. @param {number} count */
  openContradictions(count) {
    const isOther = this.#openCount !== count;
    this.#openCount = count;
    this.#drawViewLinks();
    if (isOther) bringViewIn();
  }

  /** Tells every view that the open memory was changed. @param {string} id @param {import('./reading/api.js').Memory | null} memory null where it was deleted */
  memoryChanged(id, memory) {
    for (const view of Object.values(this.#views)) view.memoryChanged?.(id, memory);
    void this.#learnNames();
  }

  // What is shown.

  /** Draws the state in the address; a view that already shows it sends no request. */
  #show() {
    this.#banner.refusal = null;
    for (const view of VIEWS) byId(view).hidden = view !== this.state.view;
    this.#drawViewLinks();
    bringViewIn();
    this.#reader.draw(this.state);
    this.#views[this.state.view].show();
    this.#detail.show(this.state.memory);
    this.#drawBanner();
  }

  #drawViewLinks() {
    document.title = titleOf(this.state.view, this.#openCount);
    drawViewLinks({
      shown: this.state.view,
      openCount: this.#openCount,
      linkTo: (view) => this.linkTo({ view, memory: null }),
    });
  }

  /** @param {unknown} error */
  #failed(error) {
    // One that was cancelled is no problem.
    if (error instanceof DOMException && error.name === 'AbortError') return;
    this.#banner.problem = error;
    if (saysGone(error)) this.#away.suspected();
    this.#drawBanner();
  }

  #fine() {
    this.#banner.problem = null;
    this.#drawBanner();
  }

  #drawBanner() {
    const hasData = byId(this.state.view).textContent !== '';
    this.#banner.draw(this.#away.now, { nowMs: Date.now(), hasData });
  }

  // Who looks.

  /** @param {{ agent: string, project: string }} chosen */
  #choose({ agent, project }) {
    if (agent === this.state.agent && project === this.state.project) return;
    Object.assign(this.state, { agent, project, memory: null });
    writeAddress(this.state);
    this.#lookAnew();
  }

  /** Starts over for another agent or project and drops everything that was seen before. */
  #lookAnew() {
    this.#requests.abort();
    this.#requests = new AbortController();
    this.#api = new Api(this.state, this.#requests.signal);
    this.#fine();
    for (const view of Object.values(this.#views)) view.forget();
    this.#detail.forget();
    this.#show();
    this.#follow();
  }

  #follow() {
    this.#live.follow(this.state);
    void this.#learnNames();
    void this.#countContradictions();
  }

  async #learnNames() {
    const mine = this.#api;
    try {
      const [{ agent_id: name, agents }, counts] = await Promise.all([mine.stats(), mine.projects()]);
      if (mine !== this.#api) return;
      this.#reader.know({ name, agents: Object.keys(agents), counts }, this.state);
    } catch {
      // The open view sends a request too, and shows its error.
    }
  }

  async #countContradictions() {
    const mine = this.#api;
    try {
      const { total } = await mine.openContradictions();
      if (mine === this.#api) this.openContradictions(total);
    } catch {
      // The open view sends a request too, and shows its error.
    }
  }

  // What changes, and whether the service answers.

  /** What is open is read anew; the other views when they are opened. @param {Set<string>} kinds */
  #onChange(kinds) {
    this.#views[this.state.view].changed?.(kinds);
    this.#detail.changed();
    if (touchesContradictions(kinds)) void this.#countContradictions();
  }

  /** @param {boolean} isOpen */
  #onStream(isOpen) {
    byId('live').dataset.state = isOpen ? 'live' : 'off';
    setText(byId('live'), isOpen ? 'Live' : 'Not live');
    if (!isOpen) return;
    if (this.#away.now !== null) this.#away.back();
    else if (this.#banner.problem !== null) this.#views[this.state.view].show();
  }

  /** @param {boolean} isBack */
  #onAway(isBack) {
    if (isBack) this.#banner.refusal = null;
    this.#drawBanner();
    // What the service did not answer while it was away is asked again.
    if (!isBack) return;
    this.#views[this.state.view].show();
    this.#detail.changed();
  }
}
