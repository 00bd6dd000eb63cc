/** Two ranges of time side by side: how many runs of each type, how long they took, how many failed. */

import { MOST_PAGES, taskPages } from '../reading/task-pages.js';
import { startOfDay } from '../shared/calendar-day.js';
import { nowMs } from '../shared/clock.js';
import { html, live, render } from '../shared/template.js';
import { comparisonTable } from './comparison-table.js';
import { figuresOf } from './figures.js';
import { daysCompared } from './ranges.js';

export class Comparison {
  #section;
  #controller;
  /** @type {import('./ranges.js').Days} */ #days = { a_from: '', a_to: '', b_from: '', b_to: '' };
  /** The reader has said other days than those of the timeline. */ #isChosen = false;
  /** @type {{ a: import('./figures.js').RangeRead, b: import('./figures.js').RangeRead } | null} */ #seen = null;
  #note = '';

  /** @param {HTMLElement} section @param {import('../reading/controller.js').Controller} controller */
  constructor(section, controller) {
    this.#section = section;
    this.#controller = controller;
  }

  /** @param {import('../state/view-state.js').ViewState} view */
  render(view) {
    this.#follow(view);
    this.#draw();
  }

  /** The days of the timeline, until the reader says others. @param {import('../state/view-state.js').ViewState} view */
  #follow(view) {
    if (this.#isChosen) return;
    const days = daysCompared(view, nowMs());
    // What was read is of other days.
    if (days.a_from !== this.#days.a_from || days.b_to !== this.#days.b_to) this.#seen = null;
    this.#days = days;
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
    this.#seen = null;
    this.#note = '';
    this.#isChosen = false;
    this.#draw();
  }

  #form() {
    const onSubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      void this.#load();
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
    const { a_from, a_to, b_from, b_to } = this.#days;
    this.#note = 'Reading …';
    this.#draw();
    try {
      const [a, b] = await Promise.all([readRange(api, a_from, a_to), readRange(api, b_from, b_to)]);
      if (api !== this.#controller.api()) return;
      this.#seen = { a, b };
      this.#note = a.isCut || b.isCut ? `Of a range with more than ${MOST_PAGES},000 tasks the newest of them.` : '';
    } catch (error) {
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
