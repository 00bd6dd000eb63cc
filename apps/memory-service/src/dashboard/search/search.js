/** The memories that an agent would recall for a query, with the reasons of each score, and the context for its prompt. */

import { typedText } from '../pieces/typed-text.js';
import { countOf, formatDuration } from '../shared/format.js';
import { showMore } from '../shared/show-more.js';
import { html, nothing, render, repeat } from '../shared/template.js';
import { contextCard, whyNotCard } from './beside-results.js';
import { queryForm, questionIn } from './query-form.js';
import { recalledItem } from './recalled-item.js';

const MEMORIES_RECALLED = 20;
/** The others are shown on demand: on a phone they would hide what stands below them. */
const SHOWN_AT_FIRST = 10;

export class Search {
  #section;
  #page;
  /** What was asked for the results that are shown. @type {string | null} */
  #shown = null;
  /** @type {import('../reading/api.js').Answer<'recall'> | null} */
  #answer = null;
  #isAsking = false;
  #showsAll = false;
  /** Something was typed that is not asked yet. */
  #isTyping = false;
  /** Why a memory is not among the results; null before it is asked. @type {string | null} */
  #absence = null;

  /** @param {HTMLElement} section @param {import('../page.js').Page} page */
  constructor(section, page) {
    this.#section = section;
    this.#page = page;
  }

  show() {
    if (this.#asked() === this.#shown) return;
    this.#isTyping = false;
    if (this.#page.state.query !== '') return void this.#load();
    this.#shown = this.#asked();
    this.#answer = null;
    this.#isAsking = false;
    this.#draw();
  }

  forget() {
    this.#shown = null;
    this.#answer = null;
    this.#isAsking = false;
    this.#draw();
  }

  /** @param {string} id @param {import('../reading/api.js').Memory | null} memory null when it is gone */
  memoryChanged(id, memory) {
    if (this.#answer === null) return;
    const change = (/** @type {import('../reading/api.js').RecalledMemory} */ one) =>
      one.id !== id ? one : memory === null ? [] : { ...one, ...memory };
    this.#answer = { ...this.#answer, memories: this.#answer.memories.flatMap(change) };
    this.#draw();
  }

  // What is known.

  #asked() {
    const { query, trust, recall } = this.#page.state;
    return JSON.stringify([query, trust, recall]);
  }

  #conditions() {
    const { trust, recall } = this.#page.state;
    return { trust, most: MEMORIES_RECALLED, ...recall };
  }

  async #load() {
    const { query } = this.#page.state;
    const asked = this.#asked();
    this.#shown = asked;
    this.#isAsking = true;
    this.#showsAll = false;
    this.#absence = null;
    this.#draw();
    const answer = await this.#page.ask((api) => api.recall(query, this.#conditions()), { latestOf: this });
    // Whoever left the question does without its answer.
    if (answer === undefined || asked !== this.#shown) return;
    if (answer === null) this.#shown = null;
    this.#answer = answer;
    this.#isAsking = false;
    this.#draw();
  }

  // What can be done.

  /** @param {Event} event */
  #onSubmit(event) {
    event.preventDefault();
    // The same query is sent again, because new memories may have come meanwhile.
    this.#shown = null;
    this.#ask();
  }

  /** @param {Event} event */
  #onChange({ target }) {
    // With the words that were typed already, which are not asked by themselves before they are sent.
    if (/** @type {Element} */ (target).id !== 'query') this.#ask();
  }

  #ask() {
    this.#isTyping = false;
    this.#page.go(questionIn(this.#section));
  }

  /** @param {string} id */
  async #askWhyNot(id) {
    const api = this.#page.api();
    const explanation = await api.whyNot(id, this.#page.state.query, this.#conditions()).then(
      (told) => told.explanation,
      (error) => (error instanceof Error ? error.message : String(error)),
    );
    if (api !== this.#page.api()) return;
    this.#absence = explanation;
    this.#draw();
  }

  // What is drawn.

  #draw() {
    const form = queryForm(this.#page.state, {
      textOf: (id, sent) => typedText(this.#section, id, sent, { isTyping: this.#isTyping }),
      onSubmit: (event) => this.#onSubmit(event),
      onChange: (event) => this.#onChange(event),
      onInput: () => {
        this.#isTyping = true;
      },
    });
    render(
      html`
        <div class="card">
          ${form}
          <p class="card-foot">A question may name its time: “in September”, “last week”. Looking leaves no trace: nothing is strengthened, nothing is primed.</p>
        </div>
        <div class="search-grid">
          ${this.#results()}
          <aside class="beside-results" ?hidden=${this.#answer === null}>
            ${contextCard(this.#answer?.context)}
            ${whyNotCard({ explanation: this.#absence, onAsk: (id) => void this.#askWhyNot(id) })}
          </aside>
        </div>
      `,
      this.#section,
    );
  }

  #results() {
    const hint = this.#hint();
    const recalled = this.#answer?.memories ?? [];
    const onToggle = () => {
      this.#showsAll = !this.#showsAll;
      this.#draw();
    };
    return html`
      <div class="card">
        <div class="card-head"><h2>Recalled</h2><p class="card-note" role="status">${this.#note()}</p></div>
        <ol class="memories">
          ${repeat(
            this.#showsAll ? recalled : recalled.slice(0, SHOWN_AT_FIRST),
            (/** @type {import('../reading/api.js').RecalledMemory} */ memory) => memory.id,
            (memory, place) => recalledItem(memory, { page: this.#page, isFirst: place === 0 }),
          )}
        </ol>
        ${showMore({ count: recalled.length, first: SHOWN_AT_FIRST, isWhole: this.#showsAll, onToggle, noun: ' memories' })}
        ${hint === '' ? nothing : html`<p class="empty">${hint}</p>`}
      </div>
    `;
  }

  #note() {
    if (this.#isAsking) return 'Asking …';
    if (this.#answer === null) return '';
    const { memories, took_ms: tookMs } = this.#answer;
    return `${countOf(memories.length, 'memory', 'memories')} in ${formatDuration(tookMs / 1000)}`;
  }

  #hint() {
    if (this.#isAsking) return '';
    if (this.#answer === null)
      return this.#page.state.query === '' ? 'Ask something to see what comes back, and why.' : '';
    return this.#answer.memories.length === 0 ? 'Nothing that is remembered bears on it.' : '';
  }
}
