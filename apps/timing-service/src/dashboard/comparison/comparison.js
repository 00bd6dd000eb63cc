/** Two ranges of time side by side: how many runs of each type, how long they took, how many failed. */

import { MOST_PAGES, taskPages } from '../reading/task-pages.js';
import { startOfDay } from '../shared/calendar-day.js';
import { nowMs } from '../shared/clock.js';
import { html, live, render } from '../shared/template.js';
import { comparisonTable } from './comparison-table.js';
import { figuresOf } from './figures.js';
import { daysCompared, daysIn, daysText } from './ranges.js';

export class Comparison {
  #section;
  #controller;
  #actions;
  /** @type {import('./ranges.js').Days} */ #days = { a_from: '', a_to: '', b_from: '', b_to: '' };
  /** The reader has said other days than those of the timeline. */ #isChosen = false;
  /** @type {{ a: import('./figures.js').RangeRead, b: import('./figures.js').RangeRead } | null} */ #seen = null;
  #note = '';
  /** Those of the address that were asked for last. @type {string | null} */ #asked = null;

  /** @param {HTMLElement} section @param {import('../reading/controller.js').Controller} controller @param {{ onCompare: (days: string) => void }} actions */
  constructor(section, controller, actions) {
    this.#section = section;
    this.#controller = controller;
    this.#actions = actions;
  }

  /** @param {import('../state/view-state.js').ViewState} view */
  render(view) {
    this.#follow(view);
    this.#draw();
  }

  /** The days of the address; where it has none those of the timeline, until the reader says others. @param {import('../state/view-state.js').ViewState} view */
  #follow(view) {
    if (view.compared !== null) return this.#followAddress(view.compared);
    if (this.#asked !== null) this.#begin();
    if (this.#isChosen) return;
    const days = daysCompared(view, nowMs());
    // What was read is of other days.
    if (days.a_from !== this.#days.a_from || days.b_to !== this.#days.b_to) this.#seen = null;
    this.#days = days;
  }

  /** @param {string} compared */
  #followAddress(compared) {
    // Before that the API is not the one of whose answers something is shown.
    if (compared === this.#asked || !this.#controller.store.loaded) return;
    this.#asked = compared;
    this.#days = daysIn(compared);
    this.#isChosen = true;
    void this.#load();
  }

  #draw() {
    render(
      html`
        <div class="card-head"><h2 id="compare-heading">Two ranges compared</h2><p class="card-note" role="status">${this.#note}</p></div>
        ${this.#form()}
        ${this.#seen === null ? html`<p class="card-note">Choose two ranges to see what became quicker and what slower.</p>` : comparisonTable(this.#seen)}
      `,
      this.#section,
    );
  }

  /** What was read is of another agent or project. */
  forget() {
    this.#begin();
    this.#draw();
  }

  #begin() {
    this.#seen = null;
    this.#note = '';
    this.#isChosen = false;
    this.#asked = null;
  }

  #form() {
    const onSubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      // The same days are read anew.
      this.#asked = null;
      this.#actions.onCompare(daysText(this.#days));
    };
    return html`
      <form class="filters" @submit=${onSubmit}>
        <div class="range-fields">${this.#field('a_from', 'Before: from')} ${this.#field('a_to', 'to')}</div>
        <div class="range-fields">${this.#field('b_from', 'After: from')} ${this.#field('b_to', 'to')}</div>
        <button type="submit" class="button">Compare</button>
      </form>
    `;
  }

  /** @param {'a_from' | 'a_to' | 'b_from' | 'b_to'} name @param {string} label */
  #field(name, label) {
    const onChange = (/** @type {Event} */ event) => {
      this.#isChosen = true;
      this.#days[name] = /** @type {HTMLInputElement} */ (event.currentTarget).value;
    };
    return html`
      <label class="field" for=${`range-${name}`}><span>${label}</span>
        <input id=${`range-${name}`} type="date" required .value=${live(this.#days[name])} @change=${onChange}>
      </label>
    `;
  }

  async #load() {
    const api = this.#controller.api();
    const asked = this.#asked;
    const isWanted = () => api === this.#controller.api() && asked === this.#asked;
    const { a_from, a_to, b_from, b_to } = this.#days;
    this.#note = 'Reading …';
    this.#draw();
    try {
      const [a, b] = await Promise.all([readRange(api, a_from, a_to), readRange(api, b_from, b_to)]);
      if (!isWanted()) return;
      this.#seen = { a, b };
      this.#note = a.isCut || b.isCut ? `Of a range with more than ${MOST_PAGES},000 tasks the newest of them.` : '';
    } catch (error) {
      if (!isWanted()) return;
      this.#note = error instanceof Error ? error.message : String(error);
    }
    this.#draw();
  }
}

/** @param {import('../reading/api.js').Api} api @param {string} from @param {string} to @returns {Promise<import('./figures.js').RangeRead>} */
async function readRange(api, from, to) {
  const [fromMs, toMs] = [Date.parse(`${from}T00:00`), startOfDay(Date.parse(`${to}T00:00`), 1)];
  if (!(fromMs < toMs)) throw new Error('A range must not end before it begins.');
  /** @type {import('../state/store.js').Task[]} */ const tasks = [];
  let isCut = false;
  for await (const page of taskPages(api, { fromMs, toMs })) {
    tasks.push(...page.tasks);
    isCut = page.completeSinceMs > fromMs;
  }
  return { figures: figuresOf(tasks), count: tasks.length, isCut };
}
