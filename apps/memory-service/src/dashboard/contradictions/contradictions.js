/**
 * Contradictions, one after the other or as a list: both sides with the words in which they differ, and keys to decide. What is
 * doubtful stands apart, to be judged. What was decided can be taken back.
 */

import { shortened } from '../pieces/texts.js';
import { touchesContradictions } from '../reading/live.js';
import { countOf, formatCount } from '../shared/format.js';
import { html, nothing, render, repeat } from '../shared/template.js';
import { contradictionCard } from './contradiction-card.js';
import { pairButtons } from './pair-buttons.js';
import { inOrder, isQueue, meaningOf } from './queue.js';
import { speakersOf } from './speaker-pairs.js';
import { emptyState, tabButtons } from './tabs.js';

/** Contradictions that are shown at first; more come on demand. Fifty are 27,000 px long on a phone. */
const SHOWN_AT_ONCE = 10;
const SHOWN_MORE = 50;

/** @typedef {import('../reading/api.js').Contradiction} Contradiction */
/** What is sent of one; to take a decision back its id will do. @typedef {Pick<Contradiction, 'id'> & Partial<Contradiction>} Sent */
/** @typedef {import('../reading/api.js').Answer<'listContradictions'> | import('../reading/api.js').Answer<'listDoubtful'>} Answered */

export class Contradictions {
  #section;
  #page;
  /** That of the items. @type {import('./queue.js').Tab} */
  #tab = 'open';
  /** @type {import('../reading/api.js').Contradiction[]} */
  #items = [];
  #total = 0;
  /** How far the comparison is; null where it is not known. @type {{ compared: number, pending: number } | null} */
  #progress = null;
  #isLoading = false;
  /** What is known is being read, so that what is shown may be decided already. */
  #isStale = false;
  #showsAllPairs = false;
  #mostShown = SHOWN_AT_ONCE;
  /** The one that keys decide stays the next one while others come. @type {string | null} */
  #nextId = null;
  /** The ids of those that are skipped, the latest last. @type {string[]} */
  #skipped = [];
  /** The decisions of this visit, the latest last. @type {string[]} */
  #decidedIds = [];

  /** @param {HTMLElement} section @param {import('../page.js').Page} page */
  constructor(section, page) {
    this.#section = section;
    this.#page = page;
    document.addEventListener('keydown', (event) => this.#onKey(event));
  }

  show() {
    const { tab } = this.#page.state.listed;
    if (tab !== this.#tab) {
      this.#tab = tab;
      this.#items = [];
      this.#mostShown = SHOWN_AT_ONCE;
      this.#progress = null;
    }
    void this.#load();
  }

  forget() {
    this.#items = [];
    this.#progress = null;
    this.#decidedIds = [];
    this.#skipped = [];
    this.#draw();
  }

  /** @param {Set<string>} kinds */
  changed(kinds) {
    if (touchesContradictions(kinds)) void this.#load();
  }

  memoryChanged() {
    void this.#load();
  }

  // What is known.

  /** What is known comes at once; what is new is compared then. @param {{ compares?: boolean }} [how] */
  async #load({ compares = false } = {}) {
    const tab = this.#tab;
    this.#isLoading = true;
    this.#isStale = !compares;
    this.#draw();
    const answer = await this.#page.ask((api) => this.#read(api, tab, compares), { latestOf: this });
    if (answer === undefined) return;
    if (answer !== null) this.#take(answer, tab);
    const isWaiting = !compares && (this.#progress?.pending ?? 0) > 0;
    this.#isLoading = isWaiting;
    this.#isStale = false;
    this.#draw();
    if (isWaiting) void this.#load({ compares: true });
  }

  /** @param {import('../reading/api.js').Api} api @param {import('./queue.js').Tab} tab @param {boolean} compares @returns {Promise<Answered>} */
  #read(api, tab, compares) {
    const alone = this.#page.state.listed.alone === 'yes';
    if (tab === 'doubtful') return api.doubtful(alone);
    const filter = { states: [tab], include_same_agent: alone };
    return api.contradictions(compares ? filter : { ...filter, wait_ms: 0 });
  }

  /** @param {Answered} answer @param {import('./queue.js').Tab} tab */
  #take(answer, tab) {
    this.#items = 'pairs' in answer ? answer.pairs : answer.contradictions;
    this.#total = answer.total;
    this.#progress = 'pairs' in answer ? null : answer;
    if (tab === 'open') this.#page.openContradictions(answer.total);
  }

  /** The speakers whose contradictions are shown; null: of all, as where nothing is left between these. */
  #pair() {
    const { speakers } = this.#page.state.listed;
    return this.#items.some((one) => speakersOf(one) === speakers) ? speakers : null;
  }

  #inOrder() {
    return inOrder(this.#items, { pair: this.#pair(), nextId: this.#nextId, skipped: this.#skipped });
  }

  // What can be done.

  /** @param {Sent} contradiction @param {Record<string, unknown>} verdict */
  async #decide(contradiction, verdict) {
    const { id } = contradiction;
    const problem = await this.#send(contradiction, (api) => api.decide(id, verdict));
    // What is gone cannot be taken back, and must not stand before what was decided earlier.
    if (problem?.status === 404) this.#decidedIds = this.#decidedIds.filter((one) => one !== id);
    if (problem !== null) return this.#draw();
    if (verdict.reopen) {
      this.#decidedIds = this.#decidedIds.filter((one) => one !== id);
      this.#skipped = this.#skipped.filter((one) => one !== id);
      this.#nextId = id;
    } else this.#decidedIds = [...this.#decidedIds, id];
    this.#page.say(verdict.reopen ? 'Open again.' : 'Decided.');
    await this.#load();
  }

  /**
   * What speaks against it; null where the service took it. Until what is next is read anew, a key means nothing: it would be about
   * the same contradiction again.
   * @param {Sent} contradiction @param {(api: import('../reading/api.js').Api) => Promise<unknown>} send @returns {Promise<any>}
   */
  async #send(contradiction, send) {
    this.#isStale = true;
    this.#draw();
    const api = this.#page.api();
    const problem = await send(api).then(
      () => null,
      (error) => error,
    );
    if (problem === null || api !== this.#page.api()) return problem;
    this.#page.refused(namingSides(problem, contradiction));
    // It may be gone.
    await this.#load();
    return problem;
  }

  async #undo() {
    const id = this.#decidedIds.at(-1);
    if (id !== undefined) await this.#decide({ id }, { reopen: true });
  }

  /** @param {import('../reading/api.js').Contradiction} contradiction @param {'contradiction' | 'compatible'} says */
  async #judge(contradiction, says) {
    const opinion = { says, judge: 'a person at the dashboard' };
    if ((await this.#send(contradiction, (api) => api.judge(contradiction.id, opinion))) !== null) return;
    this.#page.say('Judged.');
    await this.#load();
  }

  /** @param {string} id */
  #skip(id) {
    this.#skipped = [...this.#skipped.filter((one) => one !== id), id];
    this.#draw();
    this.#page.say('Skipped.');
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (!this.#takes(event) || this.#isStale) return;
    const [next] = this.#inOrder();
    const meaning = meaningOf(event.key, { tab: this.#tab, next });
    if (meaning === null) return;
    if (meaning === 'undo') void this.#undo();
    else if (next === undefined) return;
    else if (meaning === 'skip') this.#skip(next.id);
    else if (meaning === 'compatible') void this.#judge(next, meaning);
    else void this.#decide(next, meaning);
    event.preventDefault();
  }

  /** Whether a key is for this view, and for nothing in it that takes keys itself. @param {KeyboardEvent} event */
  #takes({ target, ctrlKey, metaKey, altKey }) {
    const { view, memory } = this.#page.state;
    if (view !== 'contradictions' || memory !== null) return false;
    if (ctrlKey || metaKey || altKey || document.querySelector('dialog[open]')) return false;
    return !(target instanceof Element && target.matches('input:not([type="checkbox"]), select, textarea'));
  }

  /** @param {Partial<import('../state/view-state.js').Listed>} change */
  #list(change) {
    this.#mostShown = SHOWN_AT_ONCE;
    this.#page.go({ listed: { ...this.#page.state.listed, ...change } });
  }

  #unfoldPairs() {
    this.#showsAllPairs = true;
    this.#draw();
  }

  #showMore() {
    const before = this.#mostShown;
    this.#mostShown += SHOWN_MORE;
    this.#draw();
    // Who pressed the button goes on behind what was there.
    /** @type {HTMLElement | null} */ (
      this.#section.querySelector(`.contradictions > li:nth-child(${before + 1}) h3`)
    )?.focus();
  }

  // What is drawn.

  #draw() {
    const ordered = this.#inOrder();
    // What is reopened is the next one, and comes only with what is being read.
    if (!this.#isStale) this.#nextId = ordered[0]?.id ?? null;
    const left = ordered.length - this.#mostShown;
    const hadFocus = this.#section.contains(document.activeElement);
    render(
      html`
        ${this.#head()}
        <ol class="contradictions" aria-busy=${this.#isStale}>
          ${repeat(
            ordered.slice(0, this.#mostShown),
            ({ id }) => id,
            (one, place) => this.#card(one, place),
          )}
        </ol>
        ${left <= 0 ? nothing : html`<p class="button-row"><button type="button" class="button" @click=${() => this.#showMore()}>More: ${formatCount(left)} are left</button></p>`}
      `,
      this.#section,
    );
    // What was pressed is gone, such as the card of it.
    if (hadFocus && document.activeElement === document.body)
      /** @type {HTMLElement | null} */ (
        this.#section.querySelector('h3') ?? this.#section.querySelector('h2')
      )?.focus();
  }

  #head() {
    const hasUndo = this.#decidedIds.length > 0;
    return html`
      <div class="card">
        <div class="card-head">
          <h2 tabindex="-1">Contradictions</h2>
          <p class="card-note" role="status">${this.#note()}</p>
        </div>
        <div class="contradiction-filters">
          ${tabButtons(this.#tab, (tab) => this.#list({ tab, speakers: '' }))}
          <label class="field field-inline" for="same-agent">
            <input id="same-agent" type="checkbox" .checked=${this.#page.state.listed.alone === 'yes'} @change=${(/** @type {Event} */ event) => this.#list({ alone: isChecked(event) ? 'yes' : '' })}>
            <span>also of one speaker</span>
          </label>
          ${hasUndo ? html`<button type="button" class="button" @click=${() => void this.#undo()}>Undo the last decision <kbd>u</kbd></button>` : nothing}
        </div>
        ${this.#items.length > 0 || this.#isLoading ? nothing : emptyState(this.#tab)}
        ${pairButtons(this.#items, {
          chosen: this.#pair(),
          isWhole: this.#showsAllPairs,
          onChoose: (speakers) => this.#list({ speakers: speakers ?? '' }),
          onUnfold: () => this.#unfoldPairs(),
        })}
      </div>
    `;
  }

  #note() {
    if (this.#isLoading && this.#items.length === 0) return 'Comparing …';
    if (this.#progress === null) return countOf(this.#total, 'pair');
    const { compared, pending } = this.#progress;
    const waiting = pending === 0 ? '' : `, ${formatCount(pending)} more wait`;
    return `${countOf(this.#total, 'contradiction')}; ${countOf(compared, 'memory', 'memories')} compared${waiting}`;
  }

  /** @param {import('../reading/api.js').Contradiction} contradiction @param {number} place */
  #card(contradiction, place) {
    return contradictionCard(contradiction, {
      tab: this.#tab,
      isNext: place === 0 && isQueue(this.#tab),
      page: this.#page,
      onDecide: (one, verdict) => void this.#decide(one, verdict),
      onJudge: (one, says) => void this.#judge(one, says),
      onSkip: (id) => this.#skip(id),
    });
  }
}

/** @param {Event} event of a box */
const isChecked = ({ currentTarget }) => /** @type {HTMLInputElement} */ (currentTarget).checked;

/** Says the words of a memory in the place of its id, which nobody knows. @param {unknown} problem @param {Sent} contradiction */
function namingSides(problem, { a, b }) {
  if (!(problem instanceof Error)) return problem;
  for (const said of [a, b]) {
    if (said) problem.message = problem.message.replaceAll(`'${said.memory_id}'`, `“${shortened(said.gist)}”`);
  }
  return problem;
}
