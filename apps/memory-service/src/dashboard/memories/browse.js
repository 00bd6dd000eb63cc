/** The list of memories, newest first, with filters that are part of the address. It loads on as the reader scrolls. */

import { memoryItem } from '../pieces/memory-item.js';
import { inProject } from '../pieces/texts.js';
import { typedText } from '../pieces/typed-text.js';
import { countOf, formatCount } from '../shared/format.js';
import { html, nothing, render } from '../shared/template.js';
import { createVirtualList } from '../shared/virtual-list.js';
import { FILTERS, NO_CONDITIONS, NO_FILTERS } from '../state/view-state.js';
import { filterFields, filtersIn } from './filter-fields.js';

/** A few screens of a phone; a larger window asks for the next page at once. */
const MEMORIES_A_PAGE = 25;
/** Delay after a key press: while somebody types, the list is requested only in pauses. */
const TYPING_PAUSE_MS = 300;

export class Browse {
  #section;
  #page;
  /** Above the list. @type {HTMLElement} */
  #head;
  #list;
  /** Below the list. @type {HTMLElement} */
  #foot;
  /** The filters of the shown list, so that coming back from a memory needs no request. @type {string | null} */
  #shown = null;
  /** How many fit the filters; null while the first of them are asked for. @type {number | null} */
  #total = null;
  /** Where the list goes on; null at its end. @type {string | null} */
  #cursor = null;
  #isLoading = false;
  /** What was deleted here, and may come back. @type {Set<string>} */
  #gone = new Set();
  /** Something was said since the list was read, which stays as it is under the reader's eyes. */
  #isBehind = false;
  /** Whether the reader asked for more and goes on there. */
  #focusesNext = false;
  /** Whether all filters are shown where there is little room. */
  #isUnfolded;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #pause;

  /** @param {HTMLElement} section @param {import('../page.js').Page} page */
  constructor(section, page) {
    this.#section = section;
    this.#page = page;
    this.#isUnfolded = FILTERS.some((name) => name !== 'q' && page.state.filters[name] !== '');
    render(
      html`<div class="card"><div></div><div class="memories-place"></div><div class="memories-foot"></div></div>`,
      section,
    );
    const [head, place, foot] = /** @type {[HTMLElement, HTMLElement, HTMLElement]} */ ([
      ...(section.firstElementChild?.children ?? []),
    ]);
    this.#head = head;
    this.#foot = foot;
    this.#list = createVirtualList(place, {
      className: 'memories',
      item: (memory) => memoryItem(memory, page),
      onEnd: () => {
        if (this.#cursor !== null && !this.#isLoading) void this.#load(this.#cursor);
      },
    });
  }

  show() {
    if (this.#shown === JSON.stringify(this.#page.state.filters)) return this.#draw();
    this.#endPause();
    void this.#load(null);
  }

  forget() {
    this.#shown = null;
    this.#cursor = null;
    this.#isBehind = false;
    this.#list.replace([]);
    this.#draw();
  }

  /** @param {Set<string>} kinds */
  changed(kinds) {
    this.#isBehind ||= kinds.has('added') || kinds.has('reset');
    this.#draw();
  }

  /** @param {string} id @param {import('../reading/api.js').Memory | null} memory null when it is gone */
  memoryChanged(id, memory) {
    if (memory === null) this.#gone.add(id);
    else if (!this.#gone.delete(id)) return this.#list.change(id, memory);
    if (this.#shown !== null) void this.#load(null);
  }

  // What is known.

  /** @param {string | null} after the cursor of a page; null for the first */
  async #load(after) {
    // The end came near while the button was pressed.
    if (this.#isLoading && after !== null) return;
    const { filters } = this.#page.state;
    this.#shown = JSON.stringify(filters);
    this.#isLoading = true;
    if (after === null) {
      this.#isBehind = false;
      this.#total = null;
    }
    this.#draw();
    const part = { cursor: after, limit: MEMORIES_A_PAGE };
    const answer = await this.#page.ask((api) => api.browse(filters, part), { latestOf: this });
    if (answer === undefined) return;
    if (answer === null) this.#shown = null;
    else this.#take(answer, { isFirst: after === null });
    this.#isLoading = false;
    this.#draw();
  }

  /** @param {import('../reading/api.js').Answer<'listMemories'>} answer @param {{ isFirst: boolean }} part */
  #take({ memories, total, next_cursor: next }, { isFirst }) {
    this.#total = total;
    this.#cursor = next;
    const before = this.#list.length;
    if (isFirst) this.#list.replace(memories);
    else this.#list.append(memories);
    if (!isFirst && this.#focusesNext) this.#list.focusOn(before);
    this.#focusesNext = false;
  }

  // What can be done.

  async #showNew() {
    scrollTo(0, 0);
    await this.#load(null);
    // The button is gone.
    this.#list.focusOn(0);
  }

  #loadOn() {
    this.#focusesNext = true;
    void this.#load(this.#cursor);
  }

  #unfold() {
    this.#isUnfolded = !this.#isUnfolded;
    this.#draw();
  }

  /** @param {import('../state/view-state.js').Filters} filters */
  #filter(filters) {
    this.#endPause();
    this.#page.go({ filters });
  }

  #readFilters() {
    this.#filter(filtersIn(this.#section));
  }

  #onInput() {
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.#readFilters(), TYPING_PAUSE_MS);
  }

  #endPause() {
    clearTimeout(this.#pause);
    this.#pause = undefined;
  }

  // What is drawn.

  #draw() {
    render(html`${this.#heading()} ${this.#form()} ${this.#byMeaning()}`, this.#head);
    render(html`${this.#emptyState()} ${this.#moreButton()}`, this.#foot);
    this.#foot.dataset.goesOn = this.#cursor === null ? 'no' : 'yes';
  }

  #heading() {
    return html`
      <div class="card-head"><h2>Memories</h2>
        ${this.#isBehind ? html`<button type="button" class="button" @click=${() => void this.#showNew()}>Show what is new</button>` : nothing}
        <p class="card-note num" role="status">${this.#note()}</p>
      </div>
    `;
  }

  #note() {
    if (this.#shown === null) return '';
    if (this.#total === null) return 'Asking …';
    return `${formatCount(this.#list.length)} of ${countOf(this.#total, 'memory', 'memories')}`;
  }

  #form() {
    const isTyping = this.#pause !== undefined;
    const [text, ...others] = filterFields(this.#page.state.filters, (id, sent) =>
      typedText(this.#section, id, sent, { isTyping }),
    );
    const onSubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#readFilters();
    };
    return html`
      <form class="filters" role="search" aria-label="Filters" data-open=${this.#isUnfolded ? 'yes' : 'no'}
        @submit=${onSubmit} @change=${() => this.#readFilters()} @input=${() => this.#onInput()}>
        ${text}
        <button type="button" class="button filters-toggle" aria-expanded=${this.#isUnfolded} @click=${() => this.#unfold()}>
          ${this.#isUnfolded ? 'Fewer filters' : 'More filters'}
        </button>
        ${others}
        <button type="button" class="button clear-filters" @click=${() => this.#filter(NO_FILTERS)}>Clear</button>
      </form>
    `;
  }

  /** Where to go on when the very words find too little. */
  #byMeaning() {
    const { q, session: _, recalled: __, ...conditions } = this.#page.state.filters;
    if (q === '') return nothing;
    const search = { view: /** @type {const} */ ('search'), query: q, recall: { ...NO_CONDITIONS, ...conditions } };
    return html`<p class="card-foot">Only memories that hold this very text are listed. <a href=${this.#page.linkTo(search)}>Search by meaning</a></p>`;
  }

  #emptyState() {
    if (this.#shown === null || this.#total !== 0) return nothing;
    const { state } = this.#page;
    const isFiltered = FILTERS.some((name) => state.filters[name] !== '');
    const nothingYet = `Nothing is remembered yet that this agent may see${inProject(state)}.`;
    return html`<p class="empty">${isFiltered ? 'No memory fits these filters.' : nothingYet}</p>`;
  }

  #moreButton() {
    if (this.#cursor === null) return nothing;
    return html`<button type="button" class="button" @click=${() => this.#loadOn()}>More</button>`;
  }
}
